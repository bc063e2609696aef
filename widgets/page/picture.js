// The lab as one PNG: question, sentence, every figure with its legend, and the settings that made it.

function wrap(context, text, width) {
  const lines = [""]
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim()
    if (context.measureText(longer).width > width && lines.at(-1)) {
      lines.push(word)
    } else {
      lines[lines.length - 1] = longer
    }
  }
  return lines
}

// How far down subscripts and superscripts stand from where the text's y is, as a share of its size.
const SHIFTS = {top: {sub: 0.4, sup: -0.15}, middle: {sub: 0.24, sup: -0.3}}

// Text with its subscripts and superscripts; gives the x at which it ends.
function write_formula(context, text, x, y, size, weight = "") {
  for (const {kind, text: piece} of pieces(text)) {
    context.font = `${weight} ${kind ? 0.75 * size : size}px ${CANVAS_FONT}`
    context.fillText(piece, x, y + (SHIFTS[context.textBaseline][kind] ?? 0) * size)
    x += context.measureText(piece).width
  }
  return x
}

// A line of text or several, as a block that knows its height and how to draw itself.
function text_block(context, {text, size, weight = "", plain = false}, width, ink) {
  context.font = `${weight} ${size}px ${CANVAS_FONT}`
  const lines = wrap(context, text, width)
  const draw = (x, y) => {
    context.fillStyle = ink.text
    context.font = `${weight} ${size}px ${CANVAS_FONT}`
    lines.forEach((line, i) => plain ? context.fillText(line, x, y + i * size * 1.4)
      : write_formula(context, line, x, y + i * size * 1.4, size, weight))
  }
  return {height: lines.length * size * 1.4, draw}
}

function legend_block(context, legend, size, inner, colour_of, ink) {
  const dashes = {dashed: [3, 1.5], dotted: [0.7, 1], dotdash: [0.7, 1, 3, 1]}
  context.font = `${size}px ${CANVAS_FONT}`
  const places = []
  let row = 0, right = 0
  for (const {label} of legend) {
    const length = 4 * size + context.measureText(label).width
    if (right > 0 && right + length > inner) { [row, right] = [row + 1, 0] }
    places.push([right, row * 1.5 * size])
    right += length
  }
  const draw = (left, top) => {
    legend.forEach(({label, role, width, dash, marker, alpha}, i) => {
      const [x, y] = [left + places[i][0], top + places[i][1]]
      context.strokeStyle = context.fillStyle = colour_of(role)
      context.globalAlpha = alpha
      if (marker) {
        context.font = `${size}px ${CANVAS_FONT}`
        write_formula(context, marker, x + size - context.measureText(marker).width / 2, y, size)
      } else {
        context.lineWidth = width * size / 16
        context.setLineDash((dashes[dash] ?? []).map((length) => length * size / 3))
        context.beginPath()
        context.moveTo(x, y + size / 2)
        context.lineTo(x + 2 * size, y + size / 2)
        context.stroke()
      }
      context.globalAlpha = 1
      context.fillStyle = ink.text
      write_formula(context, label, x + 2.5 * size, y, size)
    })
    context.setLineDash([])
  }
  return {height: legend.length ? (1.8 + 1.5 * row) * size : 0, draw}
}

// Blocks below each other as one.
function column(blocks) {
  const draw = (x, y) => {
    for (const block of blocks) {
      block.draw(x, y)
      y += block.height
    }
  }
  return {height: blocks.reduce((sum, block) => sum + block.height, 0), draw}
}

// Blocks that know their width, beside each other as long as there is room, as on the page.
function side_by_side(blocks, inner, gap) {
  const rows = []
  let right = inner
  for (const block of blocks) {
    if (right + gap + block.width > inner) {
      rows.push([])
      right = -gap
    }
    rows.at(-1).push({...block, left: right + gap})
    right += gap + block.width
  }
  return rows.map((row) => ({
    height: Math.max(...row.map(({height}) => height)),
    draw: (x, y) => row.forEach(({left, draw}) => draw(x + left, y)),
  }))
}

function figure_block(context, {canvas, title, description, legend}, ratio, colour_of, ink) {
  const said = (text, weight) => text_block(context, {text, size: 16 * ratio, weight}, canvas.width, ink)
  return {width: canvas.width, ...column([
    {height: 12 * ratio, draw: () => {}},
    said(title, "bold"),
    said(description),
    legend_block(context, legend, 16 * ratio, canvas.width, colour_of, ink),
    {height: canvas.height, draw: (x, y) => context.drawImage(canvas, x, y)},
  ])}
}

// `figures` are {canvas, title, description, legend}; `head` and `foot` hold {text, size, weight, plain}; plain text,
// as a visitor may have typed it, has no formulas.
function compose_picture(figures, head, foot, colour_of) {
  const ratio = window.devicePixelRatio || 1
  const margin = 24 * ratio
  const inner = Math.max(...figures.map(({canvas}) => canvas.width))
  const picture = document.createElement("canvas")
  const context = picture.getContext("2d")
  const ink = INK[is_dark() ? "dark" : "light"]
  const text = (said) => text_block(context, {...said, size: said.size * ratio}, inner, ink)
  const drawn = figures.map((figure) => figure_block(context, figure, ratio, colour_of, ink))
  const whole = column([
    ...head.map(text),
    ...side_by_side(drawn, inner, 16 * ratio),
    {height: margin / 2, draw: () => {}},
    ...foot.map(text),
  ])
  picture.width = inner + 2 * margin
  picture.height = whole.height + 2 * margin
  context.fillStyle = ink.paper
  context.fillRect(0, 0, picture.width, picture.height)
  context.textBaseline = "top"
  whole.draw(margin, margin)
  return picture
}

function save(blob, name) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
