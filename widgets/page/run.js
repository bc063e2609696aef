// The run in the background: the lab's own buttons, and how far it has come.

// Buttons of the lab's own, each in its place. They keep their nodes, and so the focus, while their words change.
function own_buttons(act) {
  const places = new Map()
  const place = (name) => {
    if (!places.has(name)) { places.set(name, element("div", {class: "actions"})) }
    return places.get(name)
  }
  const made = new Map()
  const make = (name, where) => {
    const node = button("", () => { if (node.ariaDisabled !== "true") { act(name) } }, {"data-action": name})
    place(where).append(node)
    made.set(name, node)
  }
  const show = (wanted) => {
    for (const {name, label, doc, enabled, urged, place: where} of wanted) {
      if (!made.has(name)) { make(name, where) }
      const node = made.get(name)
      write(node, label)
      node.title = doc
      node.classList.toggle("urged", urged)
      // A disabled button would lose the focus of who works by keyboard.
      node.setAttribute("aria-disabled", String(!enabled))
    }
  }
  return [place, show]
}

// What is done often stands in the bar, the rest behind “More”.
function run_bar(act) {
  const [place, show_buttons] = own_buttons(act)
  const often = place(""), rarely = place("more")
  rarely.hidden = true
  const more = button("More", () => {
    rarely.hidden = !rarely.hidden
    more.setAttribute("aria-expanded", String(!rarely.hidden))
  }, {class: "more-of-them", "aria-expanded": "false", "data-action": "more"})
  const meter = element("progress", {max: "1", "aria-label": "Progress of the run"})
  const said = element("p", {class: "said"})
  const warning = element("p", {class: "warning", role: "alert"})
  const bar = element("section", {class: "run", "aria-label": "Run", hidden: true},
    element("div", {class: "actions"}, often, more), element("div", {class: "came"}, meter, said, warning), rarely)
  const show = ({buttons, progress}) => {
    bar.hidden = !buttons
    if (!buttons) { return }
    show_buttons(buttons)
    more.title = Array.from(rarely.children, (node) => node.textContent).join(", ")
    more.hidden = !rarely.children.length
    meter.hidden = !progress
    if (progress) {
      meter.value = progress[0]
      write(said, progress[1])
      write(warning, progress[2])
    }
  }
  return [bar, show, place]
}
