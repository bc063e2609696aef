// Runs inside the page that is measured: finds sliders, moves them, and waits for what comes back.

window.bench = (() => {
  const PATIENCE = 2000
  const QUIET = 800
  const LONGEST_TRAIL = 15000
  const ENOUGH_MISSED = 3
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const set_value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set

  function find_all(selector, root = document) {
    const found = [...root.querySelectorAll(selector)]
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) { found.push(...find_all(selector, node.shadowRoot)) }
    }
    return found
  }

  const sliders = () => find_all("input[type=range]").filter((node) => node.getClientRects().length > 0)
  const models = (type) => [...Bokeh.documents[0]._all_models.values()].filter((model) => model.type === type)
  const sources = () => models("ColumnDataSource")

  // The three kinds of page differ in how a slider is moved, and in when new data has arrived.
  const move_input = (index) => {
    const input = sliders()[index]
    return (value) => {
      set_value.call(input, value)
      input.dispatchEvent(new Event("input", {bubbles: true}))
    }
  }
  const move_model = () => {
    const [slider] = models("Slider")
    return (value) => { slider.value = value }
  }
  const on_sources = (heard) => {
    const all = sources()
    all.forEach((source) => source.properties.data.change.connect(heard))
    return () => all.forEach((source) => source.properties.data.change.disconnect(heard))
  }
  const on_handler = (heard) => {
    const [input] = sliders()
    input.addEventListener("input", heard)
    return () => input.removeEventListener("input", heard)
  }
  const KINDS = {
    material: (index) => [move_input(index), on_sources],
    stock: () => [move_model(), on_sources],
    hand: () => [move_input(0), on_handler],
  }

  // Frames come at their own beat, as they do under a dragging hand. In a page at rest Chromium would
  // run the first animation frame at once, still inside the interval that has begun, and so save a frame.
  function keep_frames_coming() {
    let coming = true
    const next = () => { if (coming) { requestAnimationFrame(next) } }
    next()
    return () => { coming = false }
  }

  // A browser hands a hand's moves to the page once a frame, as the frame begins: so does this. A page that answers
  // within the event is at its second frame after two frames' time, 33 ms at 60 a second: that is the floor.
  function time_one(move, listen, value) {
    return new Promise((resolve) => {
      let started = 0
      const done = (ms) => { clearTimeout(timer); unlisten(); resolve(ms) }
      let heard = () => {
        heard = () => {}
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - started)))
      }
      const unlisten = listen(() => heard())
      const timer = setTimeout(() => done(null), PATIENCE)
      requestAnimationFrame(() => {
        started = performance.now()
        move(value)
      })
    })
  }

  async function latencies({kind, index, values, ticking}) {
    const [move, listen] = KINDS[kind](index)
    const stop = ticking ? keep_frames_coming() : () => {}
    const times = []
    for (const value of values) {
      if (times.filter((ms) => ms === null).length >= ENOUGH_MISSED) { break }
      times.push(await time_one(move, listen, value))
      await pause(60)
    }
    stop()
    return times
  }

  // Moves at their own time, whether an answer has come or not.
  async function drive({kind, index, values, interval}) {
    const [move, listen] = KINDS[kind](index)
    let pushes = 0
    let within_push = false // one message may change several sources, all in one go
    let last = performance.now()
    const unlisten = listen(() => {
      last = performance.now()
      if (within_push) { return }
      pushes += 1
      within_push = true
      queueMicrotask(() => { within_push = false })
    })
    const started = performance.now()
    for (const [i, value] of values.entries()) {
      const rest = started + i * interval - performance.now()
      if (rest > 0) { await pause(rest) }
      move(value)
    }
    const moved = performance.now()
    const end = moved + LONGEST_TRAIL
    while (performance.now() < Math.min(end, Math.max(last, moved) + QUIET)) { await pause(50) }
    unlisten()
    return {pushes, moving: moved - started, trailing: Math.max(0, last - moved)}
  }

  const plain = (column) => Array.from(column, (value) => typeof value !== "number" || Number.isFinite(value) ? value : null)

  // What the visitor sees: readouts by name, and the columns of every named source.
  function shown() {
    const readouts = find_all("[data-readout]").map((node) => [node.dataset.readout, node.dataset.value])
    const columns = sources().filter((source) => source.name).map((source) =>
      [source.name, Object.fromEntries(Object.entries(source.data).map(([name, column]) => [name, plain(column)]))])
    return {readouts: Object.fromEntries(readouts), columns: Object.fromEntries(columns), search: location.search}
  }

  // Milliseconds from the start of the visit until something like `selector` is in view, with its text if it has any.
  function first_sight(selector) {
    return new Promise((resolve) => {
      const look = () => {
        const seen = find_all(selector).some((node) => node.getClientRects().length > 0 && (node.textContent || node.value))
        seen ? resolve(performance.now()) : requestAnimationFrame(look)
      }
      look()
    })
  }

  return {sliders, sources, latencies, drive, shown, first_sight}
})()
