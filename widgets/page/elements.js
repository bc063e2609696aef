// How parts of the page are made and written.

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      node.addEventListener(name.slice(2), value)
    } else if (value !== false && value != null) {
      node.setAttribute(name, value === true ? "" : value)
    }
  }
  node.append(...children.filter((child) => child != null))
  return node
}

const formula = (text) => pieces(text).map(({kind, text}) => kind ? element(kind, {}, text) : text)

// What a slider changes many times a second is written only where it differs: each change costs a new layout.
const WRITTEN = new WeakMap()

// `text` is a formula, or pieces [formula, term]: a piece that is a term can be pointed at.
function write(node, text) {
  const as_text = typeof text === "string" ? text : JSON.stringify(text)
  if (WRITTEN.get(node) === as_text) { return }
  WRITTEN.set(node, as_text)
  node.replaceChildren(...(typeof text === "string" ? formula(text) : text.flatMap(([piece, term]) =>
    term ? element("span", {"data-term": term}, ...formula(piece)) : formula(piece))))
}

function write_lines(parent, tag, lines) {
  while (parent.children.length > lines.length) { parent.lastElementChild.remove() }
  while (parent.children.length < lines.length) { parent.append(element(tag)) }
  lines.forEach((line, i) => write(parent.children[i], line))
}

// Moves what is wider than its row, such as the chips on a phone, until `node` is in view; the page stays where it is.
function bring_into_view(node, row) {
  const {left, right} = node.getBoundingClientRect()
  const room = row.getBoundingClientRect()
  if (left < room.left || right > room.right) { row.scrollLeft += (left + right - room.left - room.right) / 2 }
}

const button = (label, onclick, attributes = {}) => element("button", {type: "button", onclick, ...attributes}, label)
