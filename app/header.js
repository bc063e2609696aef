// Name, navigation, theme, link; and the only place that touches the browser's history.

const THEME_KEY = "long-gap-theme"
const RUN_KEY = "long-gap-run-"
const PATIENCE = 800
const AGAIN = 10000

function theme_toggle() {
  const root = document.documentElement
  const toggle = element("button", {type: "button", "data-action": "theme", onclick: () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"
    try { localStorage.setItem(THEME_KEY, root.dataset.theme) } catch { /* a private window forgets */ }
    show()
  }})
  const show = () => {
    const dark = root.dataset.theme === "dark"
    toggle.textContent = dark ? "☀ Light" : "☾ Dark"
    toggle.setAttribute("aria-label", dark ? "Switch to the light theme" : "Switch to the dark theme")
  }
  show()
  return toggle
}

function copy_link(present_address) {
  const field = element("input", {type: "text", readonly: "", "aria-label": "Link to this page", hidden: ""})
  const said = element("span", {role: "status", class: "said"})
  const copy = async () => {
    const link = location.origin + location.pathname + (await present_address()).share
    try {
      await navigator.clipboard.writeText(link)
      said.textContent = "Link copied"
      setTimeout(() => { said.textContent = "" }, 2500)
    } catch {
      field.value = link
      field.hidden = false
      field.focus()
      field.select()
      said.textContent = "Press Ctrl+C to copy"
    }
  }
  field.addEventListener("blur", () => { field.hidden = true; said.textContent = "" })
  return [element("span", {class: "link"}, said, field),
    element("button", {type: "button", "data-action": "copy-link", onclick: copy}, "Copy link")]
}

// A run outlives its page. The browser remembers it, so that a page that is opened without it can offer it; a run that
// was ended on this page is forgotten.
function keeper_of_runs(offer) {
  const here = new Map(), offered = new Set()
  const keep = (lab, run) => {
    const key = RUN_KEY + lab, kept = localStorage.getItem(key)
    if (run) {
      localStorage.setItem(key, run)
      here.set(lab, run)
    } else if (here.has(lab)) {
      if (kept === here.get(lab)) { localStorage.removeItem(key) }
      here.delete(lab)
    } else if (kept && !offered.has(lab)) {
      offered.add(lab)
      offer(lab, kept)
    }
  }
  return ({lab, search}) => {
    try { keep(lab, new URLSearchParams(search).get("run")) } catch { /* a private window forgets */ }
  }
}

// A message that was cut off with its connection would go on in the next one's first, and nothing be understood any more.
function forget_half_a_message(connection) {
  if (connection?._receiver) { connection._receiver = new connection._receiver.constructor() }
}

// A dropped connection leaves a page that answers nothing: say so, and how to go on. The settings are in the address.
// Bokeh gives up after half a minute; a server that was away for a whole break is still looked for.
function connection_notice(document_model) {
  const notice = element("p", {class: "lost", role: "alert", hidden: ""})
  let trying = null
  document_model.on_event("connection_lost", (_, event) => {
    forget_half_a_message(event.connection.deref())
    clearInterval(trying)
    trying = setInterval(() => event.reconnect(), AGAIN)
    notice.replaceChildren("The connection to the server is lost, the page does not answer. Trying again… ",
      "Your settings are in the address: ",
      element("a", {href: "", onclick: (click) => { click.preventDefault(); location.reload() }}, "reload the page"),
      " to go on with them.")
    notice.hidden = false
  })
  document_model.on_event("client_reconnected", () => {
    clearInterval(trying)
    notice.hidden = true
    // The server no longer knew this session, and opened an empty one: the address brings settings and run back.
    if (document_model.roots().length === 0) { location.reload() }
  })
  return notice
}

export function render({model, view}) {
  let asked_for = model.address.lab // the answer to a click may still be on its way when the next one comes
  const links = model.labs.map(({slug, title}) => element("a", {
    href: `?lab=${slug}`, "data-nav": slug, onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) { return }
      event.preventDefault()
      if (asked_for !== slug) { model.send_msg({lab: slug}) }
      asked_for = slug
    }}, title))
  const nav = element("nav", {"aria-label": "Labs"}, ...links)
  const resized = new ResizeObserver(() => {
    const present = nav.querySelector("[aria-current]")
    if (present) { bring_into_view(present, nav) }
  })
  resized.observe(nav)
  const missing = element("main", {class: "missing", hidden: ""})

  const keep_run = keeper_of_runs((of, kept) => model.send_msg({of, kept}))

  // The address follows a moment after the hand; a link that is copied must not be older than the click.
  const waiting = []
  const present_address = async () => {
    model.send_msg({copy: performance.now()})
    await new Promise((resolve) => { waiting.push(resolve); setTimeout(resolve, PATIENCE) })
    return model.address
  }

  const show_address = () => {
    const {lab, title, search, push, left, answers} = model.address
    if (answers != null && answers !== location.search) { return } // Back was pressed again meanwhile
    asked_for = lab
    waiting.splice(0).forEach((resolve) => resolve())
    document.title = `${title} · Long Gap`
    for (const link of links) {
      if (link.dataset.nav === lab) {
        link.setAttribute("aria-current", "page")
        bring_into_view(link, nav)
      } else {
        link.removeAttribute("aria-current")
      }
    }
    if (lab == null) { return }
    keep_run(model.address)
    if (search === location.search) { return }
    if (left != null) { history.replaceState(null, "", location.pathname + left) }
    history[push ? "pushState" : "replaceState"](null, "", location.pathname + search)
  }

  const show_missing = () => {
    missing.hidden = model.missing.length === 0
    missing.replaceChildren(element("h1", {}, "Labs"),
      ...model.missing.map((text) => element("p", {role: "alert"}, text)),
      element("ul", {}, ...model.labs.map(({slug, title, question}) => element("li", {},
        element("a", {href: `?lab=${slug}`}, title), ` ${question}`))))
  }

  const go_back = () => model.send_msg({search: location.search})
  window.addEventListener("popstate", go_back)
  model.on("remove", () => { window.removeEventListener("popstate", go_back); resized.disconnect() })
  model.on("address", show_address)
  model.on("missing", show_missing)
  show_address()
  show_missing()

  return element("div", {},
    element("header", {},
      element("a", {class: "name", href: location.pathname}, "Long Gap"),
      nav,
      element("div", {class: "tools"}, ...copy_link(present_address), theme_toggle())),
    connection_notice(view.model.document), missing)
}
