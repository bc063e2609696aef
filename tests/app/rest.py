"""When a page has come to rest: what is waited for is seen, and nothing has changed for a moment."""

from playwright.sync_api import Page

QUIET = 150
"""Milliseconds without a change."""
RESTLESS = 5000
"""Milliseconds after which a page that is seen is no longer waited for: it may never rest, as while a net learns."""

AT_REST = """([selector, quiet, restless, limit]) => new Promise((done) => {
  const began = performance.now(), watched = new WeakSet()
  let changed = began, seen = null
  const change = () => { changed = performance.now() }
  const observer = new MutationObserver(change)
  const watch = (root) => {
    if (!watched.has(root)) {
      watched.add(root)
      observer.observe(root, {subtree: true, childList: true, attributes: true, characterData: true})
      change()
    }
    for (const e of root.querySelectorAll("*")) {
      if (seen === null && e.matches(selector) && e.checkVisibility() && e.getClientRects().length > 0) {
        seen = performance.now()
      }
      // A field for a number that has none is still being made.
      if (e.matches("input[aria-label$=', typed']") && e.value === "") { change() }
      if (e.shadowRoot) { watch(e.shadowRoot) }
    }
  }
  const look = () => {
    watch(document)
    const now = performance.now()
    if (seen === null ? now - began >= limit : now - changed >= quiet || now - seen >= restless) {
      observer.disconnect()
      done(seen !== null)
    } else {
      setTimeout(look, 25)
    }
  }
  look()
})"""
"""Looks within shadow roots too, and for those that come meanwhile."""


def come_to_rest(page: Page, selector: str = "body", seconds: float = 20) -> None:
    """Wait until the selector is seen and the page does no more: at once, where Playwright looks twice a second."""
    seen = page.evaluate(AT_REST, [selector, QUIET, RESTLESS, 1000 * seconds])
    assert seen, f"{selector} was not seen within {seconds} s"
