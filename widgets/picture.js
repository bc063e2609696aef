// The lab as one PNG: question, sentence, every figure, and the settings that made it.

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

// `texts` are {font, text} from top to bottom; `footer` comes last.
function compose_picture(canvases, texts, footer) {
  const ratio = window.devicePixelRatio || 1
  const margin = 24 * ratio
  const width = Math.max(...canvases.map((canvas) => canvas.width)) + 2 * margin
  const picture = document.createElement("canvas")
  const context = picture.getContext("2d")
  const font = (size, weight = "") => `${weight} ${size * ratio}px Roboto, system-ui, sans-serif`
  const blocks = [...texts, {...footer}].map((block) => {
    context.font = font(block.size, block.weight)
    return {...block, lines: wrap(context, block.text, width - 2 * margin)}
  })
  const heights = blocks.map((block) => block.lines.length * block.size * 1.4 * ratio)
  picture.width = width
  picture.height = heights.reduce((a, b) => a + b, 0) + canvases.reduce((sum, c) => sum + c.height + margin, 0) + 2 * margin
  const ink = INK[is_dark() ? "dark" : "light"]
  context.fillStyle = ink.paper
  context.fillRect(0, 0, picture.width, picture.height)
  context.textBaseline = "top"
  let y = margin
  const write = (block, height) => {
    context.fillStyle = ink.text
    context.font = font(block.size, block.weight)
    block.lines.forEach((line, i) => context.fillText(line, margin, y + i * block.size * 1.4 * ratio))
    y += height
  }
  blocks.slice(0, -1).forEach((block, i) => write(block, heights[i]))
  for (const canvas of canvases) {
    context.drawImage(canvas, margin, y)
    y += canvas.height + margin
  }
  write(blocks.at(-1), heights.at(-1))
  return picture
}

function save(blob, name) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
