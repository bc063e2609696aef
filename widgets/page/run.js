// The run in the background: the lab's own buttons, and how far it has come.

// Buttons of the lab's own, each in its place. They keep their nodes, and so the focus, while their words change.
function own_buttons(act, asking) {
  const places = new Map()
  const place = (name) => {
    if (!places.has(name)) { places.set(name, element("div", {class: "actions"})) }
    return places.get(name)
  }
  const made = new Map()
  let wanted = []
  const press = (node, name) => {
    const {asks} = wanted.find((one) => one.name === name)
    if (node.ariaDisabled !== "true" && asking.agreed(name, asks)) { act(name) }
  }
  const make = (name, where) => {
    const node = button("", () => press(node, name), {"data-action": name, ...asking.ways_back(name)})
    place(where).append(node)
    made.set(name, node)
  }
  const show = (buttons, connected) => {
    wanted = buttons
    for (const {name, label, doc, enabled, urged, place: where} of wanted) {
      if (!made.has(name)) { make(name, where) }
      const node = made.get(name)
      asking.mark(node, name)
      write(node, asking.asks(name) ? "Really?" : label)
      node.title = doc
      node.classList.toggle("urged", urged)
      // A disabled button would lose the focus of who works by keyboard.
      node.setAttribute("aria-disabled", String(!(enabled && connected)))
    }
  }
  return [place, show]
}

// “More” and what lies behind it; Escape closes it again.
function folded_buttons(list) {
  const fold = (hidden) => {
    list.hidden = hidden
    toggle.setAttribute("aria-expanded", String(!hidden))
  }
  const fold_by_key = ({key}) => {
    if (key !== "Escape" || list.hidden) { return }
    toggle.focus()
    fold(true)
  }
  const toggle = button("More", () => fold(!list.hidden), {class: "fold", "data-action": "more", onkeydown: fold_by_key})
  list.addEventListener("keydown", fold_by_key)
  fold(true)
  return toggle
}

// The lab's buttons, and how far its run has come; what went wrong takes the place of the newest line. Without a connection nothing is known of the run.
function run_bar(act, newest) {
  const asking = asker(() => show_all())
  const [place, show_buttons] = own_buttons(act, asking)
  const [place_of_remedy, show_remedy] = own_buttons(act, asking)
  const often = place(""), rarely = place("more"), remedy = place_of_remedy("")
  const meter = element("progress", {max: "1", "aria-label": "Progress of the run"})
  const said = element("p", {class: "said"})
  const question = element("p", {class: "unseen", role: "alert"})
  const warning = element("p", {class: "warning", role: "alert"})
  const bar = element("section", {class: "run", "aria-label": "Run", hidden: true},
    element("div", {class: "actions"}, often, folded_buttons(rarely)),
    element("div", {class: "came"}, meter, said, question), rarely,
    element("div", {class: "strip"}, newest, element("div", {class: "answer"}, warning, remedy)))
  let frame = {}, connected = true

  const show_progress = ([share, text, warns, answer]) => {
    const asked = frame.buttons.find(({name}) => asking.asks(name))?.asks ?? ""
    meter.value = share
    write(said, asked || (connected ? text : `Not connected to the server. Last seen: ${text.split(";")[0]}.`))
    write(question, asked)
    write(warning, warns)
    if (answer) { show_remedy([answer], connected) }
    // What is hidden would take the focus along.
    if (!answer && remedy.matches(":focus-within")) { often.firstElementChild.focus() }
    remedy.hidden = !answer
  }
  const show_all = () => {
    bar.hidden = !frame.buttons?.some(({place}) => ["", "more"].includes(place))
    meter.hidden = !frame.progress
    if (frame.buttons) { show_buttons(frame.buttons, connected) }
    if (frame.progress) { show_progress(frame.progress) }
  }
  const show = (latest) => {
    frame = latest
    // What was asked about may be gone meanwhile.
    if (!frame.buttons?.some(({name, enabled, asks}) => asking.asks(name) && enabled && asks)) { asking.take_back() }
    show_all()
  }
  const connect = (now) => {
    connected = now
    asking.take_back()
    show_all()
  }
  return [bar, show, connect, place]
}
