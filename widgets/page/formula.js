// Formulas in our own texts: `h_t`, `σ_max`, `h_{t−1}`, `ρ^k`, `|w|^(T−t)` have real subscripts and superscripts.

const SCRIPT = /(?<=[\p{L}\p{N})|‖\]])([_^])(?:\{([^}]*)\}|\(([^)]*)\)|([A-Za-z0-9]+))/gu

// The text as {kind, text}, where kind is "sub", "sup" or null.
function pieces(text) {
  const found = []
  let from = 0
  for (const match of text.matchAll(SCRIPT)) {
    const [whole, kind, ...inner] = match
    found.push({kind: null, text: text.slice(from, match.index)})
    found.push({kind: kind === "_" ? "sub" : "sup", text: inner.find((x) => x != null)})
    from = match.index + whole.length
  }
  return [...found, {kind: null, text: text.slice(from)}]
}
