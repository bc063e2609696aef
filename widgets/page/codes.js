// Blocks of lines to be copied or kept: a file to be written, commands to be typed.

// Where a page may not reach the clipboard, as one that came over plain http, the browser's own command still does.
function copy_by_command(text) {
  const field = element("textarea", {style: "position: fixed; opacity: 0", readonly: true}, text)
  document.body.append(field)
  field.select()
  const done = document.execCommand("copy")
  field.remove()
  return done
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copy_by_command(text)
  }
}

function code_block(key) {
  const caption = element("p", {class: "caption"})
  const said = element("span", {class: "said", role: "status"})
  const written = element("code")
  const body = element("pre", {tabindex: "0", role: "region"}, written)
  const download = button("", () => save(new Blob([written.textContent], {type: "text/plain"}), download.dataset.file),
    {"data-action": `download-${key}`})
  const copy = button("Copy", async () => {
    said.textContent = await copied(written.textContent) ? "Copied" : "Select the lines and press Ctrl+C"
    copy.focus()
    setTimeout(() => { said.textContent = "" }, 2500)
  }, {"data-action": `copy-${key}`})
  const ways = element("span", {class: "ways"})
  const block = element("section", {class: "code", "data-code": key}, caption,
    element("div", {class: "actions"}, download, copy, ways, said), body)
  const show = ({title, description, text, file, links}) => {
    block.setAttribute("aria-label", title)
    body.setAttribute("aria-label", `${title}: its lines`)
    caption.replaceChildren(element("strong", {}, title), " ", description)
    download.hidden = !file
    download.dataset.file = file
    download.textContent = `Download ${file}`
    copy.setAttribute("aria-label", `Copy: ${title}`)
    ways.replaceChildren(...links.map((link) => element("a", {href: link.query}, link.text)))
    written.textContent = text
    body.scrollTo(0, 0)
  }
  return [block, show]
}

// One that has not changed is left alone: its lines may be selected, or read.
function code_list() {
  const list = element("div", {class: "codes"})
  const made = new Map()
  const show = (codes) => {
    for (const code of codes) {
      if (!made.has(code.key)) {
        const [block, show] = code_block(code.key)
        list.append(block)
        made.set(code.key, {show})
      }
      const held = made.get(code.key), as_text = JSON.stringify(code)
      if (held.as_text !== as_text) { held.show(code) }
      held.as_text = as_text
    }
  }
  return [list, show]
}
