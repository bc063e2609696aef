// Where the boxes and lines of a diagram stand, in pixels of the room that there is; the page and the PNG draw by it.

const LETTER = 16, LINE = 19, EDGE = 5

// About what a sign takes; one that has no room between its boxes is left out.
const room_for = (text, scale) => 9 * text.length * scale

// {scale, boxes: key → {x, y, w, h}, links: [{d, head, sign: {x, y, text}}]}
function lay_out({wide, narrow, boxes, links}, width, height) {
  const is_narrow = width < wide[0]
  const [plan_width, plan_height, box_width] = is_narrow ? narrow : wide
  const scale = Math.max(1, Math.min(width / plan_width, height / plan_height))
  const placed = new Map()
  for (const box of boxes) {
    const place = is_narrow ? box.narrow : box.wide
    if (place) {
      placed.set(box.key, {
        x: place[0] * width / plan_width, y: place[1] * height / plan_height,
        w: box_width * box.widening * scale, h: (LINE * (box.numbers.length + Boolean(box.label)) + EDGE) * scale,
      })
    }
  }
  const drawn = links.map((link) => {
    const [from, to] = [placed.get(link.source), placed.get(link.target)]
    return from && to && (is_narrow || !link.narrow) ? lay_link(from, to, link, scale) : null
  })
  return {scale, boxes: placed, links: drawn}
}

// A line that ends in a head: straight within a row, or where one box stands over the other; else a curve to the right.
// To the left it runs between the rows, and comes from above or below.
function lay_link(from, to, {carries, sign, track}, scale) {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const row = Math.abs(dy) < 2
  const tip = 8 * scale
  const [left, right] = [from.x - from.w / 2, from.x + from.w / 2]
  const [near, far] = [Math.max(left, to.x - to.w / 2), Math.min(right, to.x + to.w / 2)]
  const over = far - near > tip
  if (carries == null) {
    return row || over ? {d: "", head: "", sign: middle_sign(from, to, sign, dx, row)} : null
  }
  if (row) {
    const way = Math.sign(dx)
    const [x0, x1] = [from.x + way * from.w / 2, to.x - way * to.w / 2]
    return {d: `M${x0} ${from.y}H${x1 - way * tip}`, head: head(x1, to.y, way, 0, tip),
      sign: way * (x1 - x0) > room_for(sign, scale) ? {x: (x0 + x1) / 2, y: from.y - 12 * scale, text: sign} : null}
  }
  const way = Math.sign(dy)
  const [y0, y1] = [from.y + way * from.h / 2, to.y - way * to.h / 2]
  if (over) {
    const x = (near + far) / 2
    return {d: `M${x} ${y0}V${y1 - way * tip}`, head: head(x, y1, 0, way, tip), sign: null}
  }
  if (to.x - to.w / 2 - tip > right) {
    const end = to.x - to.w / 2
    const bend = (right + end - tip) / 2
    return {d: `M${right} ${from.y}C${bend} ${from.y} ${bend} ${to.y} ${end - tip} ${to.y}`,
      head: head(end, to.y, 1, 0, tip), sign: null}
  }
  const between = y0 + track * (y1 - y0)
  const x = to.x + 1.5 * tip // beside what else comes from above
  return {d: `M${from.x} ${y0}V${between}H${x}V${y1 - way * tip}`, head: head(x, y1, 0, way, tip), sign: null}
}

function middle_sign(from, to, text, dx, row) {
  const x = row ? (from.x + to.x + Math.sign(dx) * (from.w - to.w) / 2) / 2 : from.x
  return {x, y: row ? from.y : (from.y + from.h / 2 + to.y - to.h / 2) / 2, text}
}

// A triangle whose tip is at x, y, on a line that runs the given way.
function head(x, y, across, down, tip) {
  const half = 0.6 * tip
  return `M${x} ${y}L${x - across * tip - down * half} ${y - down * tip - across * half}`
    + `L${x - across * tip + down * half} ${y - down * tip + across * half}Z`
}

// Thick for what is large: 1 to 6 pixels.
const thickness = (carries, scale) => (1 + 4 * Math.min(1.25, Math.abs(carries))) * scale

// The nearest box in the direction of an arrow key.
function neighbour(places, key, name) {
  const ways = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}
  const [here, [across, down]] = [places.get(key), ways[name]]
  const cost = ({x, y}) => {
    const along = across * (x - here.x) + down * (y - here.y)
    return along > 2 ? along + 2.5 * Math.abs(down * (x - here.x) + across * (y - here.y)) : Infinity
  }
  const [nearest, least] = [...places].map(([other, place]) => [other, cost(place)])
    .reduce((best, next) => next[1] < best[1] ? next : best, [key, Infinity])
  return least < Infinity ? nearest : key
}
