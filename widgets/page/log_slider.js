// A slider over the logarithm of its value, with the number typed beside it, in the looks of Material's sliders.
//
// The hand moves along a rail of our own; under its handle lies the browser's slider, which holds the value itself: so
// keys, screen readers and scripts meet a slider from `start` to `end`.

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

export function render({model}) {
  let scale, value = model.value
  const whole = model.whole

  const field = element("input", {type: "text", inputmode: whole ? "numeric" : "decimal", autocomplete: "off"})
  const slider = element("input", {type: "range", "aria-label": model.label, step: whole ? 1 : "any"})
  const handle = element("span", {class: "handle"}, slider)
  const done = element("span", {class: "done"})
  const track = element("span", {class: "track"}, element("span", {class: "rail"}), done, handle)

  const at_rest = () => whole ? value.toLocaleString("en") : String(value)
  function show() {
    slider.value = value
    slider.setAttribute("aria-valuetext", at_rest())
    const place = `${100 * scale.place(value)}%`
    handle.style.left = done.style.width = place
    if (!field.matches(":focus")) { field.value = at_rest() }
  }
  function show_bounds() {
    scale = log_scale({start: model.start, end: model.end, whole})
    slider.min = model.start
    slider.max = model.end
    show_value()
  }
  // An emptied field has no value; the server answers with the one that stays.
  function show_value() {
    value = model.value ?? value
    show()
  }
  function take(wanted) {
    if (wanted === value) { return }
    value = wanted
    show()
    model.value = value
  }

  const value_under = (event) => {
    const {left, width} = track.getBoundingClientRect()
    return scale.value_at((event.clientX - left) / width)
  }
  track.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) { return }
    event.preventDefault()
    track.setPointerCapture(event.pointerId)
    slider.focus({preventScroll: true})
    take(value_under(event))
  })
  track.addEventListener("pointermove", (event) => {
    if (track.hasPointerCapture(event.pointerId)) { take(value_under(event)) }
  })
  slider.addEventListener("input", () => take(Number(slider.value)))

  const on_key = (event) => {
    const next = KEYS[event.key]
    // In the field, left and right move the cursor.
    if (!next || event.target === field && !/Up|Down/.test(event.key)) { return }
    event.preventDefault()
    take(next(scale, value))
    if (event.target === field) { field.value = String(value) }
  }
  slider.addEventListener("keydown", on_key)
  field.addEventListener("keydown", on_key)

  const take_typed = () => {
    const number = Number(field.value)
    if (field.value.trim() !== "" && !Number.isNaN(number)) {
      take(scale.within(whole ? Math.round(number) : number))
    }
    field.value = field.matches(":focus") ? String(value) : at_rest()
  }
  field.addEventListener("focus", () => { field.value = String(value) })
  field.addEventListener("focusout", () => { take_typed(); field.value = at_rest() })
  field.addEventListener("keydown", (event) => { if (event.key === "Enter") { take_typed() } })

  model.on("value", show_value)
  model.on("start", show_bounds)
  model.on("end", show_bounds)
  show_bounds()
  return element("div", {class: "log-slider"},
    element("div", {class: "line"}, element("span", {class: "name"}, `${model.label}: `), field), track)
}
