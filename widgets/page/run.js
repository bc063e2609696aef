// What belongs to a run in the background: its buttons and progress, files from the visitor, and passages of text.

// Buttons of the lab's own. They keep their nodes, and so the focus, while their words change.
function own_buttons(act, asking) {
  const list = element("div", {class: "actions"})
  const made = new Map()
  let wanted = []
  const press = (node, name) => {
    const {asks} = wanted.find((one) => one.name === name)
    if (node.ariaDisabled !== "true" && asking.agreed(name, asks)) { act(name) }
  }
  const make = (name) => {
    const node = button("", () => press(node, name), {"data-action": name, ...asking.ways_back(name)})
    list.append(node)
    made.set(name, node)
  }
  const show = (buttons, connected) => {
    wanted = buttons
    for (const {name, label, doc, enabled, urged} of wanted) {
      if (!made.has(name)) { make(name) }
      const node = made.get(name)
      asking.mark(node, name)
      write(node, asking.asks(name) ? "Really?" : label)
      node.title = doc
      node.classList.toggle("urged", urged)
      // A disabled button would lose the focus of who works by keyboard.
      node.setAttribute("aria-disabled", String(!(enabled && connected)))
    }
  }
  return [list, show]
}

// The lab's buttons, and how far its run has come. Without a connection nothing is known of the run.
function run_bar(act) {
  const asking = asker(() => show_all())
  const [buttons, show_buttons] = own_buttons(act, asking)
  const [remedy, show_remedy] = own_buttons(act, asking)
  const meter = element("progress", {max: "1", "aria-label": "Progress of the run"})
  const said = element("p", {class: "said"})
  const question = element("p", {class: "unseen", role: "alert"})
  const warning = element("p", {class: "warning", role: "alert"})
  const bar = element("section", {class: "run", "aria-label": "Run", hidden: true},
    buttons, meter, said, question, warning, remedy)
  let frame = {}, connected = true

  const show_progress = ([share, text, warns, answer]) => {
    const asked = frame.buttons.find(({name}) => asking.asks(name))?.asks ?? ""
    meter.value = share
    write(said, asked || (connected ? text : `Not connected to the server. Last seen: ${text.split(";")[0]}.`))
    write(question, asked)
    write(warning, warns)
    if (answer) { show_remedy([answer], connected) }
    // What is hidden would take the focus along.
    if (!answer && remedy.matches(":focus-within")) { buttons.firstElementChild.focus() }
    remedy.hidden = !answer
  }
  const show_all = () => {
    bar.hidden = !frame.buttons
    meter.hidden = !frame.progress
    if (frame.buttons) { show_buttons(frame.buttons, connected) }
    if (frame.progress) { show_progress(frame.progress) }
  }
  const show = (latest) => {
    frame = latest
    // What was asked about may be gone meanwhile.
    if (!frame.buttons?.some(({name, enabled, asks}) => asking.asks(name) && enabled && asks)) { asking.take_back() }
    show_all()
  }
  const connect = (now) => {
    connected = now
    asking.take_back()
    show_all()
  }
  return [bar, show, connect]
}

async function base64_of(blob) {
  const url = await new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result)
    reader.readAsDataURL(blob)
  })
  return url.slice(url.indexOf(",") + 1)
}

const blob_of = (base64) => new Blob([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))])

// Bytes that go in one message, a multiple of 3, so that their base64 texts can be joined: the server takes no message
// of more than 20 MB, and meanwhile it answers others.
const PIECE = 3 * 2 ** 18

// A way to hand over a file, or a text that is pasted. What is too large is not sent, only its size.
function upload_bench({name, label, accept, most, pasted}, act) {
  const said = element("span", {class: "said", role: "status"}, matchMedia("(pointer: fine)").matches ? "or drop it here" : "")
  const send = async (blob, file) => {
    said.textContent = `${file}, ${Math.ceil(blob.size / 1000).toLocaleString("en")} kB`
    if (blob.size > most) { return act("upload", {name, file, size: blob.size}) }
    const pieces = Math.max(1, Math.ceil(blob.size / PIECE))
    for (let i = 0; i < pieces; i++) {
      const base64 = await base64_of(blob.slice(i * PIECE, (i + 1) * PIECE))
      act("upload", {name, file, size: blob.size, base64, first: i === 0, last: i === pieces - 1})
    }
  }
  const send_file = ([file]) => { if (file) { send(file, file.name) } }
  const input = element("input", {type: "file", accept, hidden: true, onchange: () => {
    send_file(input.files)
    input.value = "" // so that the same file can be chosen again
  }})
  const choose = button("Choose a file", () => input.click(), {"aria-label": `Choose a file: ${label}`})
  const field = element("textarea", {rows: "4", "aria-label": `${label}: paste it here`})
  const paste = pasted ? element("details", {}, element("summary", {}, "Paste it instead"), field,
    button("Use this text", () => send(new Blob([field.value]), "pasted"), {"data-action": `paste-${name}`})) : null
  return element("div", {
    class: "upload", "data-upload": name, ondragover: (event) => event.preventDefault(),
    ondrop: (event) => { event.preventDefault(); send_file(event.dataTransfer.files) },
  }, element("span", {}, label), element("div", {class: "actions"}, choose, said), input, paste)
}

// Each character in the colour of the passage, as strong as its value; below 0 only its foot.
function shaded(text, shades, role) {
  const spans = []
  let last = null, piece = ""
  const close = () => {
    if (!piece) { return }
    const amount = `color-mix(in srgb, var(--${role}) ${0.6 * Math.abs(last)}%, transparent)`
    const style = last < 0 ? `box-shadow: inset 0 -0.3em 0 ${amount}` : `background: ${amount}`
    spans.push(last ? element("span", {style}, piece) : piece)
  }
  Array.from(text).forEach((character, i) => {
    if (shades[i] !== last) {
      close()
      piece = ""
      last = shades[i]
    }
    piece += character === "\n" ? "↵\n" : character
  })
  close()
  return spans
}

function passage_line([label, text, shades], role) {
  const written = shades.length ? shaded(text, shades, role) : [text]
  return element("li", {}, element("span", {class: "label"}, ...formula(label)), element("code", {}, ...written))
}

// Passages of text under the figures. One that has not changed is left alone: it may be scrolled, or read.
function passage_list() {
  const list = element("div", {class: "passages"})
  const shown = new Map()
  const show = (passages) => {
    for (const {key, title, description, lines, role} of passages) {
      const as_text = JSON.stringify([title, description, lines])
      if (shown.get(key)?.as_text === as_text) { continue }
      const body = shown.get(key)?.body ?? element("ol", {tabindex: "0"})
      // What grows at its end is followed there, unless the visitor has scrolled away.
      const at_end = shown.has(key) && body.scrollTop + body.clientHeight >= body.scrollHeight - 4
      body.setAttribute("aria-label", title)
      body.replaceChildren(...lines.map((line) => passage_line(line, role)))
      if (!shown.has(key)) {
        const head = element("p", {class: "caption"})
        list.append(element("section", {class: "passage", "data-passage": key, "aria-label": title}, head, body))
        shown.set(key, {body, head})
      }
      const held = shown.get(key)
      held.as_text = as_text
      held.head.replaceChildren(element("strong", {}, title), " ", ...formula(description))
      if (at_end) { body.scrollTop = body.scrollHeight }
    }
    for (const [key, {body}] of shown) {
      if (!passages.some((passage) => passage.key === key)) {
        body.parentElement.remove()
        shown.delete(key)
      }
    }
  }
  return [list, show]
}
