"""Headless Chromium, and the pages that are measured in it."""

import contextlib
import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from calm import Calm
from playwright.sync_api import Browser, Page, sync_playwright

_PROBE = Path(__file__).with_name("probe.js")
_QUIET = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
          "--disable-component-update", "--disable-sync")  # fmt: skip
_READY = {
    "material": "() => window.Bokeh && bench.sliders().length > 0",
    "stock": "() => window.Bokeh && Bokeh.documents.length > 0 && bench.sources().length > 0",
    "hand": "() => bench.sliders().length > 0",
}
_SETTLING_MS = 1500


@dataclass(frozen=True)
class Target:
    """A page with a slider to move. Kinds: `material` and `stock` are Panel's, `hand` needs no server."""

    label: str
    kind: str
    url: str
    index: int = 0

    def asked(self, **options) -> dict:
        """The options of a function of `probe.js` that moves this page's slider."""
        return {"kind": self.kind, "index": self.index, **options}


class Chromium:
    """A browser in which nothing is measured before the machine is calm."""

    def __init__(self, browser: Browser, calm: Calm):
        self._browser, self.calm = browser, calm
        self.version = browser.version

    @contextlib.contextmanager
    def blank_page(self) -> Iterator[Page]:
        """A page on a projector's screen with nothing in its cache."""
        context = self._browser.new_context(viewport={"width": 1280, "height": 720})
        context.add_init_script(path=_PROBE)
        try:
            self.calm.wait()
            yield context.new_page()
        finally:
            context.close()

    @contextlib.contextmanager
    def open_page(self, target: Target) -> Iterator[Page]:
        """The target, loaded and at rest."""
        with self.blank_page() as page:
            page.goto(target.url)
            page.wait_for_function(_READY[target.kind])
            page.wait_for_timeout(_SETTLING_MS)
            self.calm.wait()
            yield page


@contextlib.contextmanager
def chromium(calm: Calm) -> Iterator[Chromium]:
    """The system's Chromium, or else Playwright's own."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(_QUIET))
        try:
            yield Chromium(browser, calm)
        finally:
            browser.close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments) -> None:
        """No line for each request."""


@contextlib.contextmanager
def serve_files(folder: Path) -> Iterator[str]:
    """Serve a folder of static files; gives its address."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
