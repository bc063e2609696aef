// Files and texts that the visitor hands over.

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

// A way to hand over a file, or a text that is pasted, beside what else there is to do with it. What is too large is not
// sent, only its size.
function upload_bench({name, label, accept, most, pasted}, act, beside) {
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
  const answer = element("p", {class: "warning", role: "alert"})
  const bench = element("div", {
    class: "upload", "data-upload": name, ondragover: (event) => event.preventDefault(),
    ondrop: (event) => { event.preventDefault(); send_file(event.dataTransfer.files) },
  }, element("span", {}, label), element("div", {class: "actions"}, choose, beside, said), answer, input, paste)
  let wanted = true
  const show = () => { bench.hidden = !wanted && !answer.textContent }
  return {
    bench,
    want: (now) => { wanted = now; show() },
    answer: (text) => { write(answer, text); show() },
  }
}
