// Readouts: short labelled numbers, under headings where the lab gives them some.

function readout_box(slug, [key, , , , words]) {
  const name = element("dt"), number = element("dd", {"data-readout": `${slug}.${key}`})
  return {name, number, box: element("div", {class: words ? "words" : null}, name, number)}
}

// Neighbours under one heading are a list of their own; a lab without headings has one list.
function readout_groups(readouts, boxes) {
  const groups = []
  readouts.forEach(([, , , , , heading], i) => {
    if (groups.at(-1)?.heading !== heading) { groups.push({heading, held: []}) }
    groups.at(-1).held.push(boxes[i].box)
  })
  return groups.map(({heading, held}) => {
    const list = element("dl", {class: "readouts", "aria-label": heading || "Readouts"}, ...held)
    return heading ? element("section", {class: "group"}, element("h2", {}, heading), list) : list
  })
}

// They keep their nodes while only the numbers change.
function readout_list(slug) {
  const whole = element("div", {class: "all-readouts"})
  let shape = "", boxes = []
  const show = (readouts) => {
    const asked = readouts.map(([key, , , , words, heading]) => [key, words, heading]).join()
    if (asked !== shape) {
      shape = asked
      boxes = readouts.map((readout) => readout_box(slug, readout))
      whole.replaceChildren(...readout_groups(readouts, boxes))
      whole.classList.toggle("grouped", readouts.some(([, , , , , heading]) => heading))
    }
    readouts.forEach(([, label, text, value], i) => {
      const {name, number} = boxes[i]
      write(name, label)
      write(number, text)
      if (number.dataset.value !== value) { number.dataset.value = value }
    })
  }
  return [whole, show]
}
