// What Material’s controls lack: typed numbers that say what they refuse, menus that open by key, a player.

// Play walks one whole-number slider forward, as a hand would.
function player(slider, label) {
  let timer = null
  const move = (to) => { slider.value = Math.max(slider.start, Math.min(slider.end, to)) }
  const stop = () => {
    clearInterval(timer)
    timer = null
    play.textContent = "▶ Play"
  }
  const tick = () => slider.value >= slider.end || !bar.checkVisibility() ? stop() : move(slider.value + 1)
  const play = button("▶ Play", () => {
    if (timer != null) { return stop() }
    if (slider.value >= slider.end) { move(slider.start) }
    play.textContent = "⏸ Pause"
    timer = setInterval(tick, 500)
  }, {"data-action": "play"})
  const bar = element("div", {class: "player", role: "group", "aria-label": label},
    button("|◀", () => { stop(); move(slider.start) }, {"aria-label": "To the first step"}),
    button("◀", () => { stop(); move(slider.value - 1) }, {"aria-label": "One step back"}),
    play,
    button("▶", () => { stop(); move(slider.value + 1) }, {"aria-label": "One step forward"}),
    button("▶|", () => { stop(); move(slider.end) }, {"aria-label": "To the last step"}))
  return [bar, stop]
}

// What is said of a typed number follows the value that was taken instead.
const AFTER_THE_VALUE = 100

// A visitor’s text as part of a line of ours: whichever way it runs, the rest of the line stays as it is.
const isolated = (text) => `\u2068${text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "")}\u2069`

// What a control stands at, as an address would have it.
function text_of({value, value_input}) {
  if (typeof value === "boolean") { return value ? "yes" : "no" }
  return typeof value === "number" ? written_out(value) : isolated(String(value_input ?? value))
}

function write_into(field, text) {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, text)
  field.dispatchEvent(new Event("input", {bubbles: true}))
}

// Material's slider takes a typed number once for each time its field is entered, swallows what is no number, and
// takes an emptied field for its lowest value. Here what is no number brings the old one back, what the control cannot
// take gives way to what it can, and `refuse` says so.
function mend_typed_number(field, slider, refuse) {
  const whole = Number.isInteger(slider.step)
  // What the hand typed, where a tidy number stands in its place.
  let typed = null
  field.addEventListener("input", ({isTrusted}) => { if (isTrusted) { typed = null } })
  const check = (event) => {
    const asked = typed ?? field.value
    const number = number_in(asked, whole)
    const [taken, other] = taken_of(number, {start: slider.start, end: slider.end, whole})
    if (Number.isNaN(number)) {
      event.stopImmediatePropagation()
      refuse(asked)
      write_into(field, String(slider.value))
    } else if (written_out(taken) !== field.value) {
      event.stopImmediatePropagation()
      typed = asked
      write_into(field, written_out(taken))
      // The same again with the tidy number; after a focusout the focus stays where it went.
      const again = event.type === "focusout" ? new FocusEvent("focusout", {bubbles: true})
        : new KeyboardEvent("keydown", {key: "Enter", bubbles: true})
      setTimeout(() => field.dispatchEvent(again))
    } else if (other) {
      refuse(asked)
    }
  }
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") { return }
    check(event)
    setTimeout(() => { field.blur(); field.focus() })
  }, {capture: true})
  field.addEventListener("focusout", check, {capture: true})
}

// Material's menu takes the key that should open it, and stays shut.
function open_menu_by_key(control) {
  control.shadowRoot.addEventListener("keydown", (event) => {
    const menu = event.target.closest("[role=combobox]")
    if (!menu || menu.ariaExpanded === "true" || !["Enter", " ", "ArrowDown", "ArrowUp"].includes(event.key)) { return }
    event.preventDefault()
    event.stopPropagation()
    menu.click()
  }, {capture: true})
}

// A text is one line, in however many its field shows it.
function keep_one_line(control) {
  control.shadowRoot.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("textarea")) { event.preventDefault() }
  }, {capture: true})
}

// The typed number of a slider has no name of its own; Material's is drawn a little after the control. A logarithmic
// slider reads what is typed itself, and reports what it cannot take.
function find_typed_number(control, label, slider, refuse) {
  const root = control.shadowRoot
  control.addEventListener("refused", ({detail}) => refuse(detail))
  const look = () => {
    const field = root.querySelector("input[type=text]")
    if (field && root.querySelector("input[type=range]")) {
      field.setAttribute("aria-label", `${label}, typed`)
      if (!root.querySelector(".log-slider")) { mend_typed_number(field, slider, refuse) }
      observer.disconnect()
    }
  }
  const observer = new MutationObserver(look)
  observer.observe(root, {childList: true, subtree: true})
  look()
}
