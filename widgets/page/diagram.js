// A diagram: its boxes are buttons, so that a term can be pointed at by mouse, finger and key; it lights up in the
// picture, in the line beneath it, and in the arithmetic.

const SVG = "http://www.w3.org/2000/svg"

function svg(tag, attributes = {}) {
  const node = document.createElementNS(SVG, tag)
  Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value))
  return node
}

function put(node, name, value) {
  if (node.getAttribute(name) !== value) { node.setAttribute(name, value) }
}

// `arithmetic` is where the lines stand, whose terms light up too.
function diagram_view(arithmetic) {
  const title = element("strong"), description = element("span", {class: "said"})
  const caption = element("figcaption", {}, title, " ", description)
  const lines = svg("svg", {"aria-hidden": "true"})
  const drawing = element("div", {class: "drawing", role: "group"}, lines)
  const name = element("strong"), equation = element("span"), said = element("p", {class: "lit-line"}, name, " ", equation)
  const figure = element("figure", {class: "plot diagram", style: "--share: 1", hidden: true}, caption, element("div", {class: "canvas"}, drawing, said))
  let diagram = null, arithmetic_lines = [], built = "", plan = null
  let buttons = new Map(), drawn = []
  let hovered = null, held = null, last = null

  const light = () => {
    const key = hovered ?? held
    drawing.classList.toggle("pointed", key != null)
    for (const part of [drawing, said, arithmetic]) {
      part.querySelectorAll("[data-term]").forEach((node) => node.classList.toggle("lit", node.dataset.term === key))
    }
    drawn.forEach((group, i) => {
      const {source, target} = diagram.links[i]
      group.classList.toggle("lit", key === source || key === target)
    })
  }
  const explain = () => {
    const box = diagram.boxes.find(({key}) => key === (hovered ?? held ?? last)) ?? diagram.boxes.find(({key}) => key === diagram.start)
    const line = arithmetic_lines[box.line] ?? ""
    write(name, `${box.name}.`)
    write(equation, line)
    light()
  }
  const point = (node) => {
    hovered = buttons.has(node?.dataset.term) ? node.dataset.term : null
    last = hovered ?? last
    explain()
  }
  const pointed = (event) => point(event.target.closest("[data-term]"))
  for (const part of [drawing, arithmetic]) {
    part.addEventListener("pointerover", pointed)
    part.addEventListener("pointerleave", () => { if (diagram) { point(null) } })
  }
  const hold = (key) => {
    held = key
    last = held ?? last
    explain()
  }
  // A finger leaves a term as it lifts: what it tapped stays lit until it taps there again, or elsewhere.
  arithmetic.addEventListener("click", ({target}) => {
    const key = target.closest("[data-term]")?.dataset.term
    if (buttons.has(key)) { hold(key === was_held ? null : key) }
  })
  let was_held = null
  const press = (event) => {
    was_held = held
    if (held != null && !event.composedPath().some((node) => node.dataset?.term)) { hold(null) }
  }
  const escape = ({key}) => {
    if (key !== "Escape" || !diagram) { return }
    hovered = null
    hold(null)
  }
  window.addEventListener("pointerdown", press, {capture: true})
  window.addEventListener("keydown", escape)
  // One stop for the Tab key; arrows go on from there.
  const reach = (key) => buttons.forEach((node, own) => { node.tabIndex = own === key ? 0 : -1 })
  drawing.addEventListener("focusin", ({target}) => {
    reach(target.dataset.term)
    hold(target.dataset.term)
  })
  drawing.addEventListener("focusout", () => hold(null))
  drawing.addEventListener("keydown", (event) => {
    if (!event.key.startsWith("Arrow")) { return }
    event.preventDefault()
    buttons.get(neighbour(plan.boxes, event.target.dataset.term, event.key)).focus()
  })
  const pressed = ({currentTarget, detail}) => {
    const key = currentTarget.dataset.term
    if (detail && key === was_held) { return currentTarget.blur() }
    currentTarget.focus()
    hold(key)
  }

  const build = () => {
    buttons = new Map(diagram.boxes.map(({key}) => [key, element("button", {
      type: "button", class: "box", tabindex: -1, "data-term": key,
      onclick: pressed,
    })]))
    drawn = diagram.links.map(() => {
      const group = svg("g")
      group.append(svg("path", {class: "way"}), svg("path", {class: "head"}), svg("text"))
      return group
    })
    lines.replaceChildren(...drawn)
    drawing.replaceChildren(lines, ...buttons.values())
    if (!buttons.has(held)) { held = null }
    if (!buttons.has(last)) { last = null }
    hovered = null
    plan = null
    place()
  }
  const place = () => {
    if (!drawing.clientWidth) { return }
    plan = lay_out(diagram, drawing.clientWidth, drawing.clientHeight)
    drawing.style.fontSize = `${plan.scale * LETTER}px`
    buttons.forEach((node, key) => { node.hidden = !plan.boxes.has(key) })
    if (![...plan.boxes.keys()].some((key) => buttons.get(key).tabIndex === 0)) {
      reach(plan.boxes.has(diagram.start) ? diagram.start : plan.boxes.keys().next().value)
    }
    drawn.forEach((group, i) => {
      const [way, tip, text] = group.children, at = plan.links[i]
      group.style.display = at ? "" : "none"
      if (!at) { return }
      way.setAttribute("d", at.d)
      tip.setAttribute("d", at.head)
      text.textContent = at.sign?.text ?? ""
      if (at.sign) {
        text.setAttribute("x", at.sign.x)
        text.setAttribute("y", at.sign.y)
      }
    })
    fill()
  }
  // What a move changes besides the texts, written where it differs.
  const fill = () => {
    if (!plan) { return }
    for (const {key, name, role, filled} of diagram.boxes) {
      const at = plan.boxes.get(key)
      put(buttons.get(key), "aria-label", name)
      put(buttons.get(key), "style", at ? `--role: var(--${role}); --filled: ${100 * filled}%; left: ${at.x - at.w / 2}px; `
        + `top: ${at.y - at.h / 2}px; width: ${at.w}px; height: ${at.h}px` : "")
    }
    diagram.links.forEach(({carries}, i) => {
      if (carries == null) { return }
      const dash = carries < 0 ? `${5 * plan.scale} ${4 * plan.scale}` : "none"
      put(drawn[i].firstElementChild, "style", `stroke-width: ${thickness(carries, plan.scale)}px; stroke-dasharray: ${dash}`)
    })
  }
  const observer = new ResizeObserver(() => { if (diagram) { place() } })
  observer.observe(drawing)

  const show = (next, lines_of_arithmetic) => {
    if (!next) { return }
    diagram = next
    arithmetic_lines = lines_of_arithmetic
    figure.hidden = false
    write(title, diagram.title)
    write(description, diagram.description)
    figure.setAttribute("aria-label", `${diagram.title}. ${diagram.description}`)
    drawing.setAttribute("aria-label", `${diagram.title}: arrow keys go from term to term`)
    const {wide, narrow, boxes, links, signs} = diagram
    const shape = JSON.stringify([wide, narrow, signs, boxes.map((box) => [box.key, box.role]), links.map((link) => [link.source, link.target])])
    if (shape !== built) {
      built = shape
      caption.querySelector(".legend")?.remove()
      caption.append(legend_list(legend()))
      figure.style.setProperty("--narrow-height", `${narrow[1]}px`)
      build()
    }
    for (const {key, label, numbers} of boxes) {
      write_lines(buttons.get(key), "span", label ? [label, ...numbers] : numbers)
    }
    fill()
    explain()
  }
  const legend = () => diagram.signs.map(([marker, label]) => ({marker, label, role: "reference"}))

  // The same as a canvas, for the PNG.
  const canvas = (colour_of) => draw_diagram(diagram, plan, drawing.clientWidth, drawing.clientHeight, colour_of)
  const saved = (colour_of) => ({title: diagram.title, description: diagram.description, legend: legend(), canvas: canvas(colour_of)})
  const remove = () => {
    observer.disconnect()
    window.removeEventListener("pointerdown", press, {capture: true})
    window.removeEventListener("keydown", escape)
  }
  return {figure, show, saved, remove}
}

function draw_diagram({boxes, links}, plan, width, height, colour_of) {
  const ratio = window.devicePixelRatio || 1
  const canvas = document.createElement("canvas")
  canvas.width = width * ratio
  canvas.height = height * ratio
  const context = canvas.getContext("2d"), ink = INK[is_dark() ? "dark" : "light"]
  const size = plan.scale * LETTER
  context.scale(ratio, ratio)
  context.fillStyle = ink.paper
  context.fillRect(0, 0, width, height)
  const write_middle = (text, x, y) => {
    context.globalAlpha = 0
    const end = write_formula(context, text, x, y, size)
    context.globalAlpha = 1
    write_formula(context, text, x - (end - x) / 2, y, size)
  }
  context.textBaseline = "middle"
  plan.links.forEach((at, i) => {
    if (!at) { return }
    const {carries} = links[i]
    context.strokeStyle = context.fillStyle = ink.muted
    if (carries != null) {
      context.lineWidth = thickness(carries, plan.scale)
      context.setLineDash(carries < 0 ? [5 * plan.scale, 4 * plan.scale] : [])
      context.stroke(new Path2D(at.d))
      context.fill(new Path2D(at.head))
    }
    context.fillStyle = ink.text
    if (at.sign) { write_middle(at.sign.text, at.sign.x, at.sign.y) }
  })
  context.setLineDash([])
  for (const {key, label, numbers, role, filled} of boxes) {
    const at = plan.boxes.get(key)
    if (!at) { continue }
    const [left, top] = [at.x - at.w / 2, at.y - at.h / 2]
    context.fillStyle = ink.paper
    context.fillRect(left, top, at.w, at.h)
    context.fillStyle = context.strokeStyle = colour_of(role)
    context.globalAlpha = 0.25
    context.fillRect(left, top + (1 - filled) * at.h, at.w, filled * at.h)
    context.globalAlpha = 1
    context.lineWidth = 2 * plan.scale
    context.strokeRect(left, top, at.w, at.h)
    context.fillStyle = ink.text
    const rows = label ? [label, ...numbers] : numbers
    rows.forEach((row, n) => write_middle(row, at.x, at.y + (n - (rows.length - 1) / 2) * LINE * plan.scale))
  }
  return canvas
}
