// The page of one lab. It shows what the server computed and reports clicks; it knows no mathematics.

// The dashes of Bokeh, in pixels on and off; CSS borders have others.
const DASHES = {solid: [1], dashed: [6, 6], dotted: [2, 4], dotdash: [2, 4, 6, 4], A: [2, 3], B: [8, 3, 2, 3]}
const DASH_NAMES = {A: "dotted", B: "dash-dotted"}

function stroke(dash) {
  let from = 0
  const stops = DASHES[dash].map((length, i) => `${i % 2 ? "transparent" : "currentColor"} ${from}px ${from += length}px`)
  return `repeating-linear-gradient(90deg, ${stops.join(", ")})`
}

function legend_list(legend) {
  return element("ul", {class: "legend", "aria-label": "Legend"}, ...legend.map(({label, role, width, dash, marker, alpha}) =>
    element("li", {}, element("span", {
      class: marker ? "marker" : "line", "aria-hidden": "true",
      style: `color: var(--${role}); opacity: ${alpha}; ` + (marker ? "" : `height: ${width}px; background: ${stroke(dash)}`),
    }, marker), element("span", {}, ...formula(label)))))
}

// A figure takes no keys: its values stand in the data table, its points are chosen by a slider too.
function skip_in_tab_order(plot) {
  const view = Bokeh.index.find_one(plot)
  if (view) { view.canvas_view.events_el.tabIndex = -1 }
}

function canvas_of(plot) {
  return Bokeh.index.find_one(plot).export("png").canvas
}

export function render({model, view}) {
  const meta = model.meta
  const act = (action, details = {}) => model.send_msg({action, ...details})
  const plots = [...model.figures]

  const sentence = element("p", {class: "sentence", "data-sentence": meta.slug, style: `--lines: ${meta.sentenceLines}`})
  const spoken = element("p", {class: "unseen", "aria-live": "polite"})
  const arithmetic = element("div", {class: "arithmetic", "data-arithmetic": meta.slug})
  const notes = element("ul", {class: "notes"})
  const notices = element("div", {class: "notices", role: "status"})
  const look_for = element("p", {class: "look-for"})
  const pins = element("ul", {class: "pins", "aria-label": "Pinned settings"})
  // What is pinned has its room already, so that a pin moves nothing.
  const advice = element("div", {class: "advice"}, look_for, pins)
  const [readouts, show_readouts] = readout_list(meta.slug)
  const comparison = element("section", {class: "comparison", "aria-live": "off", hidden: !meta.comparison})
  const [check, show_check] = meta.check ? check_bench(meta.check, () => act("check")) : [null, () => {}]
  const [newest, show_newest] = newest_line()
  const [run, show_run, connect_run, place_of_buttons] = run_bar(act, newest)
  view.model.document.on_event("connection_lost", () => connect_run(false))
  view.model.document.on_event("client_reconnected", () => connect_run(true))
  const diagram = diagram_view(arithmetic)
  const [passages, show_passages] = passage_list()
  const [codes, show_codes] = code_list()
  const uploads = meta.uploads.map((upload) => upload_bench(upload, act, place_of_buttons(upload.name)))
  const fit = button("Fit axis", () => act("fit"), {"data-action": "fit"})
  // What sets the stage anew ends a playing that was of the old one.
  const start_over = (action, details) => { stop_playing(); act(action, details) }
  const chips = meta.presets.map((preset) => button(preset.title, () => start_over("preset", {name: preset.name}),
    {class: "chip", "data-preset": preset.name, title: preset.lookFor, "aria-pressed": "false"}))
  const chip_row = element("div", {class: "chips", role: "group", "aria-label": "Presets"}, ...chips)
  const redraw = meta.redraw ? button("New draw", () => act("redraw"), {"data-action": "redraw"}) : null

  const show_texts = () => {
    const texts = JSON.parse(model.passages)
    show_passages(texts)
    show_newest(texts)
  }

  let speak = null
  const show_frame = () => {
    const frame = JSON.parse(model.frame)
    write(sentence, frame.sentence)
    clearTimeout(speak)
    speak = setTimeout(() => { spoken.textContent = frame.sentence }, 800)
    show_readouts(frame.readouts)
    write_lines(arithmetic, "p", frame.arithmetic)
    write_lines(notes, "li", frame.notes)
    diagram.show(frame.diagram, frame.arithmetic)
    show_run(frame)
    uploads.forEach(({answer}, i) => answer(frame.answers?.[meta.uploads[i].name] ?? ""))
    if (frame.ask) { requestAnimationFrame(() => setTimeout(() => act("drawn"))) }
  }

  // Figures change places with the settings; one that stays where it is is left alone.
  const stage = element("div", {class: "stage"}), more = element("div", {class: "more"})
  const set_stage = (staged) => {
    const shown = JSON.stringify(staged)
    if (stage.dataset.shown === shown) { return }
    stage.dataset.shown = shown
    const shares = new Map(staged)
    figures.forEach((figure, i) => figure.style.setProperty("--share", shares.get(i) ?? meta.plots[i].share))
    const on_stage = figures.filter((figure, i) => shares.has(i))
    stage.replaceChildren(...(JSON.parse(model.frame).diagram ? [diagram.figure] : []), ...on_stage)
    more.prepend(...figures.filter((figure) => !on_stage.includes(figure)))
  }

  let preset_in_view = null
  const show_pressed_chip = () => {
    const pressed = chips.find((chip) => chip.ariaPressed === "true")
    if (pressed) { bring_into_view(pressed, chip_row) }
  }

  const show_state = () => {
    const state = model.state
    set_stage(state.staged)
    chips.forEach((chip) => chip.setAttribute("aria-pressed", String(chip.dataset.preset === state.preset)))
    if (preset_in_view !== state.preset) { show_pressed_chip() }
    preset_in_view = state.preset
    look_for.replaceChildren(...formula(state.lookFor))
    fit.textContent = state.fitted ? "Preset axis" : "Fit axis"
    uploads.forEach(({want}, i) => want(state.uploads[i]))
    control_nodes.forEach((node, i) => { node.hidden = state.idle[i] })
    // Its place stays: the buttons beside it are not to move under the hand.
    if (redraw) { redraw.style.visibility = meta.settings.some(({name}, i) => name === "seed" && state.idle[i]) ? "hidden" : "" }
    folds.forEach((fold, i) => { fold.hidden = meta.folds[i][1].every((held) => state.idle[held]) })
    figures.forEach((figure, i) => figure.querySelectorAll(".legend li").forEach((key, n) => {
      key.hidden = state.absent[i].includes(n)
    }))
    figures.forEach((figure, i) => {
      figure.hidden = meta.plots[i].optional && state.absent[i].length === meta.plots[i].legend.length
    })
    notices.replaceChildren(...state.notices.map((text) => element("p", {}, text)))
    if (state.notices.length) { notices.append(button("Dismiss", () => act("dismiss"))) }
    show_pins(state.pins.map(pin_entry))
  }

  // An entry stays where it is: a click on it may have begun while the other pin went.
  const show_pins = (entries) => {
    [...pins.children].filter((entry) => !entries.includes(entry)).forEach((entry) => entry.remove())
    entries.forEach((entry, i) => { if (pins.children[i] !== entry) { pins.insertBefore(entry, pins.children[i] ?? null) } })
  }
  const pin_entries = {}
  const pin_entry = ({letter, label, sign}) => {
    const entry = pin_entries[letter] ??= element("li", {class: `pin-${letter}`},
      element("span", {class: "swatch", "aria-hidden": "true", style: `background: ${stroke(letter)}`}),
      element("span", {class: "label"}),
      button("✕", () => act("unpin", {letter}), {"aria-label": `Remove pin ${letter}`, title: "Remove"}))
    const text = entry.querySelector(".label")
    text.title = label
    text.textContent = `${letter}${sign && " " + sign}: ${label}`
    return entry
  }

  const data = element("div", {class: "data"})
  const details = element("details", {open: model.tables.open, ontoggle: () => {
    if (details.open !== Boolean(model.tables.open)) { act("table", {open: details.open}) }
  }}, element("summary", {}, "Data table"), data)
  const show_tables = () => {
    const tables = model.tables
    data.replaceChildren(...(tables.data ? [build_table(tables.data, true)] : []))
    show_check(tables)
    comparison.setAttribute("aria-busy", String(Boolean(tables.working)))
    comparison.classList.toggle("working", Boolean(tables.working))
    if (tables.comparison) {
      comparison.replaceChildren(build_table(tables.comparison))
    } else if (meta.comparison) {
      comparison.replaceChildren(element("p", {}, "Working out the comparison…"))
    }
  }

  const save_picture = () => {
    const {sentence, madeBy} = JSON.parse(model.frame)
    const settings = meta.settings.flatMap(({name, label}, i) =>
      model.state.idle[i] ? [] : [`${label} ${madeBy[name] ?? text_of(model.controls[i].data)}`]).join(", ")
    const on_stage = model.state.staged.map(([i]) => i)
    const shown = [...new Set([...on_stage, ...plots.keys()])].filter((i) => !figures[i].hidden)
    const colour_of = (role) => meta.palette[role][is_dark() ? 1 : 0]
    const drawn = shown.map((i) => ({
      ...meta.plots[i], canvas: canvas_of(plots[i]),
      legend: meta.plots[i].legend.filter((key, n) => !model.state.absent[i].includes(n)),
    }))
    if (!diagram.figure.hidden) { drawn.unshift(diagram.saved(colour_of)) }
    const head = [{text: meta.question, size: 24, weight: "bold"}, {text: sentence, size: 18}]
    const pinned = model.state.pins.map(({letter, label, sign}) => `Pinned ${letter}, ${DASH_NAMES[letter]}${sign && " and " + sign}: ${label}`)
    const foot = [`Long Gap, ${meta.slug}: ${settings}`, ...pinned].map((text) => ({text, size: 14, plain: true}))
    const picture = compose_picture(drawn, head, foot, colour_of)
    picture.toBlob((blob) => save(blob, `long-gap-${meta.slug}.png`))
  }

  const figures = model.get_child("figures").map((node, i) => {
    const {title, description, legend, half, wide} = meta.plots[i]
    return element("figure", {class: ["plot", half && "half", wide && "wide"].filter(Boolean).join(" "), role: "group", "aria-label": `${title}. ${description}`},
      element("figcaption", {}, element("strong", {}, title), " ", element("span", {class: "said"}, ...formula(description)),
        legend_list(legend), place_of_buttons(title)),
      element("div", {class: "canvas"}, node))
  })

  // The server sends what is in view at once, the rest when the hand has come to rest.
  const in_view = new Set()
  const watcher = new IntersectionObserver((entries) => {
    for (const {target, isIntersecting} of entries) {
      const i = figures.indexOf(target)
      in_view[isIntersecting ? "add" : "delete"](i)
      skip_in_tab_order(plots[i])
    }
    act("seen", {figures: [...in_view]})
  })
  figures.forEach((figure) => watcher.observe(figure))

  // On a phone the first figure sticks while the settings pass under it, and no longer.
  const passing = new IntersectionObserver(([{isIntersecting, boundingClientRect}]) => {
    root.classList.toggle("passed", !isIntersecting && boundingClientRect.top < 0)
  }, {rootMargin: "-45% 0px 0px 0px"})

  const slider = meta.player == null ? null : model.controls[meta.player].data
  const [play_bar, stop_playing] = slider ? player(slider, `Play through ${meta.settings[meta.player].label}`) : [null, () => {}]
  const can_fit = meta.plots.some((plot) => plot.fixed)
  const help = element("details", {class: "help"}, element("summary", {}, "What the settings mean"),
    element("dl", {}, ...meta.settings.flatMap(({label, doc}) => [element("dt", {}, label), element("dd", {}, ...formula(doc))]),
      element("dt", {}, "▲ and ▼ with a number"),
      element("dd", {}, "A curve leaves the picture here; the number is its value where it ends, at the place named before it. “Up to” and “down to” say how far it went. Fit axis shows whole what belongs to the settings; what is there to compare with may still leave.")))

  const control_nodes = model.get_child("controls")
  const uploads_under = (setting) => uploads.filter((upload, n) => meta.uploads[n].under === setting).map(({bench}) => bench)
  const with_uploads = (i) => [control_nodes[i], ...uploads_under(i)]
  const folded = new Set(meta.folds.flatMap(([, held]) => held))
  const folds = meta.folds.map(([title, held]) => element("details", {class: "folded"}, element("summary", {}, title),
    ...held.flatMap(with_uploads)))
  more.append(...[comparison, check].filter(Boolean))
  const settings = element("section", {class: "controls", "aria-label": "Settings"},
    ...control_nodes.flatMap((node, i) => folded.has(i) ? [] : with_uploads(i)), play_bar,
    ...folds, ...uploads_under(null), help, notes)
  passing.observe(settings)
  const root = element("main", {class: "lab", "data-lab": meta.slug},
    element("h1", {}, meta.question), sentence, spoken, notices,
    element("div", {class: "bench"},
      element("div", {class: "top"},
        chip_row,
        element("div", {class: "actions"},
          button("Reset", () => start_over("reset"), {"data-action": "reset"}),
          redraw,
          button("Pin curves", () => act("pin"), {"data-action": "pin"}), can_fit ? fit : null)),
      advice, run, settings,
      element("div", {class: "picture"}, stage, codes, readouts, arithmetic, more, passages)),
    details,
    element("div", {class: "actions"},
      button("Save data (CSV)", () => act("csv"), {"data-action": "csv"}),
      button("Save picture (PNG)", save_picture, {"data-action": "png"})),
    element("section", {class: "prose", "aria-label": "About this lab"}, model.get_child("prose")))

  control_nodes.forEach((control, i) => {
    const {name, label} = meta.settings[i]
    const refuse = (text) => setTimeout(() => act("refused", {name, text}), AFTER_THE_VALUE)
    find_typed_number(control, label, model.controls[i].data, refuse)
    open_menu_by_key(control)
    keep_one_line(control)
  })
  model.on("frame", show_frame)
  model.on("state", show_state)
  model.on("tables", show_tables)
  model.on("passages", show_texts)
  model.on("codes", () => show_codes(JSON.parse(model.codes)))
  model.on("msg:custom", ({file, text, base64}) => save(text == null ? blob_of(base64) : new Blob([text], {type: "text/csv"}), file))
  show_frame()
  show_state()
  show_tables()
  show_texts()
  show_codes(JSON.parse(model.codes))

  const paint_all = () => plots.forEach((plot) => paint(plot, meta.palette))
  const unfollow = follow_theme(paint_all)
  const resized = new ResizeObserver(show_pressed_chip)
  resized.observe(chip_row)
  plots.forEach((plot) => plot.properties.renderers.change.connect(() => paint(plot, meta.palette)))
  model.on("remove", () => { unfollow(); stop_playing(); watcher.disconnect(); passing.disconnect(); resized.disconnect(); diagram.remove() })
  return root
}
