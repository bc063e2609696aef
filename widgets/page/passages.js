// Passages of text: under the figures, and the newest line of one with them.

// Each character in the colour of the passage, as strong as its value; below 0 only its foot.
function shaded(text, shades, role) {
  const spans = []
  let last = null, piece = ""
  const close = () => {
    if (!piece) { return }
    const amount = `color-mix(in srgb, var(--${role}) ${0.6 * Math.abs(last)}%, transparent)`
    const style = last < 0 ? `box-shadow: inset 0 -0.3em 0 ${amount}` : `background: ${amount}`
    spans.push(last ? element("span", {style}, piece) : piece)
  }
  Array.from(text).forEach((character, i) => {
    if (shades[i] !== last) {
      close()
      piece = ""
      last = shades[i]
    }
    piece += character === "\n" ? "↵\n" : character
  })
  close()
  return spans
}

function passage_line([label, text, shades], role) {
  const written = shades.length ? shaded(text, shades, role) : [text]
  return element("li", {}, element("span", {class: "label"}, ...formula(label)), element("code", {}, ...written))
}

// The newest line of a passage, in as much room as it has from the beginning. It is read out by nobody: it changes often.
function newest_line() {
  const label = element("span", {class: "label"}), text = element("code")
  const strip = element("p", {class: "newest", hidden: true}, label, " ", text)
  const show = (passages) => {
    const passage = passages.find(({newest}) => newest)
    strip.hidden = !passage
    if (!passage) { return }
    const [at, written] = passage.lines.at(-1)
    write(label, at && `${passage.newest} ${at}:`)
    text.textContent = written.trimEnd().replaceAll("\n", " ↵ ")
  }
  return [strip, show]
}

// Passages of text under the figures. One that has not changed is left alone: it may be scrolled, or read.
function passage_list() {
  const list = element("div", {class: "passages"})
  const shown = new Map()
  const show = (passages) => {
    for (const {key, title, description, lines, role, newest} of passages) {
      const as_text = JSON.stringify([title, description, lines])
      if (shown.get(key)?.as_text === as_text) { continue }
      const body = shown.get(key)?.body ?? element("ol", {tabindex: "0"})
      const first = lines[0]?.[0]
      const anew = newest && shown.has(key) && shown.get(key).first !== first
      // What grows at its end is followed there, unless the visitor has scrolled away.
      const at_end = anew || (shown.has(key) && body.scrollTop + body.clientHeight >= body.scrollHeight - 4)
      body.setAttribute("aria-label", title)
      body.replaceChildren(...lines.map((line) => passage_line(line, role)))
      if (!shown.has(key)) {
        const head = element("p", {class: "caption"})
        list.append(element("section", {class: "passage", "data-passage": key, "aria-label": title}, head, body))
        shown.set(key, {body, head})
      }
      const held = shown.get(key)
      Object.assign(held, {as_text, first})
      held.head.replaceChildren(element("strong", {}, title), " ", ...formula(description))
      if (at_end) { body.scrollTop = body.scrollHeight }
    }
    for (const [key, {body}] of shown) {
      if (!passages.some((passage) => passage.key === key)) {
        body.parentElement.remove()
        shown.delete(key)
      }
    }
  }
  return [list, show]
}
