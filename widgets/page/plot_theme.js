// Colours of figures, swapped with the page's theme in the browser alone (`sync: false`: the server need not know).

const INK = {
  light: {paper: "#FFFFFF", text: "#1B1B1B", muted: "#4A4A4A", grid: "rgba(0, 0, 0, 0.12)", axis: "rgba(0, 0, 0, 0.45)"},
  dark: {paper: "#121212", text: "#F2F2F2", muted: "#C8C8C8", grid: "rgba(255, 255, 255, 0.16)", axis: "rgba(255, 255, 255, 0.5)"},
}
const CANVAS_FONT = "Roboto, system-ui, sans-serif"
const QUIET = {sync: false}

const is_dark = () => document.documentElement.dataset.theme === "dark"

function set_known(model, values) {
  const known = Object.entries(values).filter(([name]) => name in model.properties)
  model.setv(Object.fromEntries(known), QUIET)
}

function paint_glyph(renderer, palette, column) {
  const role = renderer.tags.map(String).find((tag) => tag.startsWith("role:"))?.slice(5)
  if (role == null) { return }
  const glyph = renderer.glyph
  set_known(glyph, {text_font: {value: CANVAS_FONT}})
  if (role === "*") {
    set_known(glyph, {background_fill_color: {value: INK[column ? "dark" : "light"].paper}})
    const mapper = [glyph.fill_color, glyph.text_color].map((spec) => spec?.transform).find(Boolean)
    mapper?.setv({palette: Object.values(palette).map((shades) => shades[column])}, QUIET)
    glyph.change.emit()
    return
  }
  const colour = palette[role][column]
  for (const name of ["line_color", "fill_color", "text_color"]) {
    const old = glyph.properties[name]?.get_value()
    if (old != null && old.value !== null && !("field" in Object(old))) {
      glyph.setv({[name]: {value: colour}}, QUIET)
    }
  }
}

// Paint one figure for the theme in force.
function paint(plot, palette) {
  const dark = is_dark()
  const ink = INK[dark ? "dark" : "light"]
  set_known(plot, {background_fill_color: ink.paper, border_fill_color: ink.paper, outline_line_color: null})
  for (const part of [...plot.left, ...plot.below, ...plot.right, ...plot.above, ...plot.center]) {
    set_known(part, {
      axis_line_color: ink.axis, major_tick_line_color: ink.axis, minor_tick_line_color: null,
      major_label_text_color: ink.muted, axis_label_text_color: ink.text,
      major_label_text_font: CANVAS_FONT, axis_label_text_font: CANVAS_FONT,
      background_fill_color: ink.paper, label_text_color: ink.text, title_text_color: ink.text,
    })
    if ("grid_line_color" in part.properties && part.grid_line_color != null) {
      part.setv({grid_line_color: ink.grid}, QUIET)
    }
  }
  // BokehJS clears a canvas half a pixel off: without this the old paper stays as a line along two edges.
  const layer = Bokeh.index.find_one(plot)?.canvas_view?.primary
  if (layer?.canvas instanceof HTMLCanvasElement) {
    layer.undo_transform((context) => context.clearRect(0, 0, layer.canvas.width, layer.canvas.height))
  }
  for (const renderer of plot.renderers) {
    paint_glyph(renderer, palette, dark ? 1 : 0)
  }
}

// Call back now and at each change of theme; returns the way to stop.
function follow_theme(callback) {
  const observer = new MutationObserver(callback)
  observer.observe(document.documentElement, {attributes: true, attributeFilter: ["data-theme"]})
  callback()
  return () => observer.disconnect()
}
