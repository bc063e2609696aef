// Runs inside the page that is measured: finds sliders, moves them, and waits for what comes back.

window.bench = (() => {
  const PATIENCE = 2000
  const QUIET = 800
  const LONGEST_TRAIL = 15000
  const ENOUGH_MISSED = 3
  const BETWEEN_MOVES = 60
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

  // The three kinds of page differ in how a slider is moved, and in how the picture is known to have changed.
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
  const KINDS = {
    material: (index) => [move_input(index), on_view],
    stock: () => [move_model(), on_view],
    hand: () => [move_input(0), on_handler],
  }

  // What answers a hand: the data of the figures, and the words and numbers around them. Slider and typed number move
  // in the browser alone; chips and the data table follow a hand that rests.
  const WRITTEN = ".sentence, .diagram, .newest, .readouts, .arithmetic, .notes, .passage"

  function is_in_window(node) {
    const {width, height, top, bottom, left, right} = node.getBoundingClientRect()
    return width > 0 && height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
  }

  function sources_in_window() {
    const views = models("Figure").map((figure) => Bokeh.index.find_one(figure))
    const seen = views.filter((view) => view && is_in_window(view.el)).map((view) => view.model)
    return new Set(seen.flatMap((figure) => figure.renderers.map((renderer) => renderer.data_source)))
  }

  // Hears every change of what is in the window as it begins to listen: nothing there moves while numbers change.
  function on_view(heard) {
    const drawn = sources_in_window()
    drawn.forEach((source) => source.properties.data.change.connect(heard))
    const written = new MutationObserver(heard)
    find_all(WRITTEN).filter(is_in_window).forEach((node) =>
      written.observe(node, {subtree: true, childList: true, characterData: true, attributes: true}))
    return () => {
      drawn.forEach((source) => source.properties.data.change.disconnect(heard))
      written.disconnect()
    }
  }

  function on_handler(heard) {
    const [input] = sliders()
    input.addEventListener("input", heard)
    return () => input.removeEventListener("input", heard)
  }

  // Hears each message in which the server sent data or the words of a frame; one message may hold many changes.
  function on_push(heard) {
    let within_message = false
    const listener = ({sync, attr}) => {
      if (sync || within_message || (attr !== "data" && attr !== "frame")) { return }
      within_message = true
      queueMicrotask(() => { within_message = false })
      heard()
    }
    Bokeh.documents[0].on_change(listener)
    return () => Bokeh.documents[0].remove_on_change(listener)
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
  // The time is that of the last change in the window: one that comes before the next move takes the earlier one's place.
  function time_one(move, listen, value) {
    return new Promise((resolve) => {
      let started = 0, changes = 0
      const done = (ms) => { clearTimeout(timer); unlisten(); resolve(ms) }
      const unlisten = listen(() => {
        const change = ++changes
        requestAnimationFrame(() => requestAnimationFrame(async () => {
          const ms = performance.now() - started
          await pause(BETWEEN_MOVES)
          if (change === changes) { done(ms) }
        }))
      })
      const timer = setTimeout(() => done(null), PATIENCE)
      requestAnimationFrame(() => {
        started = performance.now()
        move(value)
      })
    })
  }

  // Who sees nothing change looks further down, with the slider at the top of the window.
  async function scroll_on(index) {
    sliders()[index].scrollIntoView({block: "start"})
    await pause(QUIET)
  }

  // The times of all moves, how many changes came into the window only when the hand had come to rest, and whether the
  // page had to be scrolled for something to change in it.
  async function latencies({kind, index, values, ticking}) {
    const [move, listen] = KINDS[kind](index)
    const stop = ticking ? keep_frames_coming() : () => {}
    let times = [], scrolled = false
    for (const value of values) {
      times.push(await time_one(move, listen, value))
      if (times.filter((ms) => ms === null).length < ENOUGH_MISSED) { continue }
      if (scrolled) { break }
      times = []
      scrolled = true
      await scroll_on(index)
    }
    let late = 0
    const unlisten = listen(() => { late += 1 })
    await pause(QUIET)
    unlisten()
    stop()
    return {times, late, scrolled}
  }

  // Moves at their own time, whether an answer has come or not.
  async function drive({kind, index, values, interval}) {
    const [move] = KINDS[kind](index)
    let pushes = 0
    let last = performance.now()
    const unlisten = on_push(() => {
      last = performance.now()
      pushes += 1
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
