// Tables: how one is drawn, and one that is made on demand.

function build_table(table, caption_hidden = false) {
  const head = element("tr", {}, ...table.headings.map((text) => element("th", {scope: "col"}, ...formula(text))))
  const written = (cell, column) => table.formulas.includes(column) ? formula(cell) : [cell]
  const rows = table.rows.map((row) => element("tr", {}, ...row.map((cell, i) => element("td", {}, ...written(cell, i)))))
  const scroll = element("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": table.caption},
    element("table", {"aria-label": table.caption}, element("thead", {}, head), element("tbody", {}, ...rows)))
  // Above what scrolls, so that it wraps at the window's edge and not at the table's.
  const caption = caption_hidden ? null : element("p", {class: "caption", "aria-hidden": "true"}, table.caption)
  return element("div", {}, caption, scroll)
}

// A table that is made when its button is pressed.
function check_bench(label, ask) {
  const result = element("div", {class: "result", role: "status"})
  const bench = element("section", {class: "check", "aria-label": label},
    button(label, ask, {"data-action": "check"}), result)
  const show = ({check, checking, stale}) => {
    bench.setAttribute("aria-busy", String(checking))
    const said = checking ? "Working…" : stale ? "The settings have changed since: press again for the new ones." : null
    result.classList.toggle("outdated", checking || stale)
    result.replaceChildren(...[said && element("p", {}, said), check && build_table(check)].filter(Boolean))
  }
  return [bench, show]
}
