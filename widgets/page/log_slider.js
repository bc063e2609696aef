// A slider over the logarithm of its value, with the number typed beside it, in the looks of Material's sliders.
//
// The hand moves along a rail of our own; under its handle lies the browser's slider, which holds the value itself: so
// keys, screen readers and scripts meet a slider from `start` to `end`.

// A finger that has gone so many pixels along the slider drags it; before that the page may still be what it scrolls.
const A_DRAG = 6

const KEYS = {
  ArrowUp: (scale, value) => scale.after(value),
  ArrowRight: (scale, value) => scale.after(value),
  ArrowDown: (scale, value) => scale.before(value),
  ArrowLeft: (scale, value) => scale.before(value),
  PageUp: (scale, value) => scale.within(2 * value || scale.after(value)),
  PageDown: (scale, value) => scale.within(scale.halved(value)),
  Home: (scale) => scale.within(-Infinity),
  End: (scale) => scale.within(Infinity),
}
// In the field the other keys move the cursor.
const FIELD_KEYS = ["ArrowUp", "ArrowDown", "PageUp", "PageDown"]

// A press on the handle keeps the value, and the handle its place under the hand; one beside it calls the handle there.
// `drag(x)` is called with where the handle's middle should be, `undo` if the press was the beginning of a scroll.
function follow_hand(track, handle, {press, drag, undo}) {
  let held = null
  const end = () => {
    held = null
    handle.classList.remove("held")
  }
  track.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) { return }
    const {left, width} = handle.getBoundingClientRect()
    const on_handle = handle.contains(event.target)
    const waits = event.pointerType === "touch"
    held = {at: event.clientX, grip: on_handle ? event.clientX - left - width / 2 : 0, on_handle, waits}
    track.setPointerCapture(event.pointerId)
    handle.classList.add("held")
    if (!waits) { event.preventDefault() }
    press()
    if (!waits && !on_handle) { drag(event.clientX) }
  })
  track.addEventListener("pointermove", (event) => {
    if (!held || Math.abs(event.clientX - held.at) < (held.waits ? A_DRAG : 1)) { return }
    held.waits = false
    held.at = -Infinity
    drag(event.clientX - held.grip)
  })
  track.addEventListener("pointerup", (event) => {
    if (held?.waits && !held.on_handle) { drag(event.clientX) }
    end()
  })
  track.addEventListener("pointercancel", () => {
    if (held) { undo() }
    end()
  })
}

export function render({model}) {
  const whole = model.whole
  let scale, bounds, value = model.value, edited = false, before_press = value

  const field = element("input", {type: "text", inputmode: whole ? "numeric" : "decimal", autocomplete: "off"})
  const slider = element("input", {type: "range", "aria-label": model.label, step: whole ? 1 : "any"})
  const handle = element("span", {class: "handle"}, slider)
  const done = element("span", {class: "done"})
  const track = element("span", {class: "track"}, element("span", {class: "rail"}), done, handle)
  const root = element("div", {class: "log-slider"},
    element("div", {class: "line"}, element("span", {class: "name"}, `${model.label}: `), field), track)

  const at_rest = () => whole ? value.toLocaleString("en") : written_out(value)
  function show() {
    slider.value = value
    slider.setAttribute("aria-valuetext", at_rest())
    handle.style.left = done.style.width = `${100 * scale.place(value)}%`
    if (!edited) { field.value = field.matches(":focus") ? written_out(value) : at_rest() }
  }
  function show_bounds() {
    bounds = {start: model.start, end: model.end, whole}
    scale = log_scale(bounds)
    slider.min = model.start
    slider.max = model.end
    show()
  }
  function take(wanted) {
    value = wanted
    show()
    if (model.value !== value) { model.value = value }
  }
  function take_typed() {
    if (edited) {
      edited = false
      const number = number_in(field.value, whole)
      const [taken, other] = Number.isNaN(number) ? [value, true] : taken_of(number, bounds)
      if (other) { root.dispatchEvent(new CustomEvent("refused", {detail: field.value, bubbles: true, composed: true})) }
      take(taken)
    }
    show()
  }
  function on_key(event) {
    handle.classList.remove("by-hand")
    const next = KEYS[event.key]
    const moves_cursor = event.target === field && (event.shiftKey || !FIELD_KEYS.includes(event.key))
    if (!next || moves_cursor || event.altKey || event.ctrlKey || event.metaKey) { return }
    event.preventDefault()
    take_typed()
    take(next(scale, value))
  }

  follow_hand(track, handle, {
    press: () => {
      before_press = value
      slider.focus({preventScroll: true})
      handle.classList.add("by-hand")
    },
    drag: (x) => {
      const {left, width} = track.getBoundingClientRect()
      take(scale.value_at((x - left) / width))
    },
    undo: () => take(before_press),
  })
  slider.addEventListener("input", () => take(Number(slider.value)))
  slider.addEventListener("blur", () => handle.classList.remove("by-hand"))
  slider.addEventListener("keydown", on_key)
  field.addEventListener("keydown", on_key)
  field.addEventListener("keydown", ({key}) => {
    if (key === "Escape") { edited = false }
    if (key === "Enter" || key === "Escape") { take_typed() }
  })
  field.addEventListener("input", () => { edited = true })
  field.addEventListener("focus", show)
  field.addEventListener("blur", take_typed)

  model.on("value", () => { value = model.value ?? value; show() })
  model.on("start", show_bounds)
  model.on("end", show_bounds)
  show_bounds()
  return root
}
