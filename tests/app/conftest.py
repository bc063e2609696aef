"""A served app and a real Chromium for the browser tests."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError as NotSeen

from tests.app.contexts import Contexts
from tests.app.rest import come_to_rest
from tests.app.training_visitor import TrainingVisitor

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOW_TO = "no Chromium found: install it (Debian: apt-get install chromium) or set CHROMIUM to its path"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium() -> str | None:
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Served:
    """`panel serve app/`, started as the README says but from another folder."""

    def __init__(self, folder: Path, port: int | None = None, options: Sequence[str] = (), root: Path = ROOT):
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}/app"
        self._log = folder / "server.log"
        panel = Path(sys.executable).with_name("panel")  # the console script: it leaves the path alone
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [panel, "serve", root / "app", "--port", str(self.port), *options],
                cwd=folder, stdout=log, stderr=subprocess.STDOUT,
            )  # fmt: skip
        self._wait()

    def _wait(self) -> None:
        for _ in range(120):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
                return
            except OSError:
                time.sleep(0.25)
        raise RuntimeError(f"the server did not start:\n{self.log()}")

    def log(self) -> str:
        return self._log.read_text()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    server = Served(tmp_path_factory.mktemp("elsewhere"))
    yield server
    server.stop()
    assert "Traceback" not in server.log(), server.log()


@pytest.fixture(scope="session")
def chromium():
    path = find_chromium()
    if path is None:
        if os.environ.get("CI"):
            pytest.fail(HOW_TO)
        pytest.skip(HOW_TO)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


class Visitor:
    """One visitor's page, with what the tests ask of it again and again."""

    def __init__(self, page, url: str):
        self.page, self._url = page, url
        self.faults: list[str] = []
        page.set_default_timeout(8000)
        page.on("console", lambda m: self.faults.append(f"console: {m.text}") if m.type == "error" else None)
        page.on("pageerror", lambda error: self.faults.append(f"page: {error}"))
        page.on("request", self._note_request)

    def _note_request(self, request) -> None:
        if not re.match(r"(http|ws)://127\.0\.0\.1:|data:|blob:", request.url):
            self.faults.append(f"asked another host: {request.url}")

    def open(self, query: str = "", ready: str = "[data-readout]") -> "Visitor":
        self.page.goto(self._url + query)
        come_to_rest(self.page, ready)
        return self

    def see(self, selector: str, seconds: float = 8, state: str = "visible") -> None:
        """Wait for an element, in short turns: in a long one Playwright comes to look but twice a second."""
        end = time.monotonic() + seconds
        while True:
            try:
                self.page.wait_for_selector(selector, state=state, timeout=2000)
                return
            except NotSeen:
                if time.monotonic() > end:
                    raise

    def start_over(self, slug: str) -> None:
        """Bring an open lab back to its first settings, by way of another preset, so that both can be seen to come."""
        self.page.locator(f"[data-lab='{slug}'] .chip").last.click()
        self.page.wait_for_url("**preset=*")
        self.page.click(f"[data-lab='{slug}'] [data-action='reset']")
        self.page.wait_for_url(f"**/app?lab={slug}")
        come_to_rest(self.page)

    def readout(self, key: str) -> float:
        return float(self.page.get_attribute(f"[data-readout='{key}'] >> visible=true", "data-value"))

    def sentence(self) -> str:
        return self.page.inner_text("[data-sentence] >> visible=true")

    def wait_readout(self, key: str, value: float, rel: float = 0.005) -> None:
        for _ in range(60):
            if self.readout(key) == pytest.approx(value, rel=rel):
                return
            self.page.wait_for_timeout(50)
        assert self.readout(key) == pytest.approx(value, rel=rel)

    def slider(self, label: str):
        return self.page.locator(f"input[type=range][aria-label='{label}'] >> visible=true")

    def typed(self, label: str):
        return self.page.locator(f"input[aria-label='{label}, typed'] >> visible=true")

    def type_number(self, label: str, text: str) -> None:
        field = self.typed(label)
        field.click()
        self.page.wait_for_timeout(150)  # the field first takes its rounded number back to the exact one
        field.fill(text)
        field.press("Enter")

    def drag(self, label: str, share: float) -> None:
        """Drag the slider's handle to a share of its length, by the mouse, in small moves."""
        box = (
            self.slider(label)
            .locator("xpath=ancestor::span[contains(@class,'MuiSlider-root') or @class='track']")
            .bounding_box()
        )
        thumb = self.slider(label).locator("xpath=..").bounding_box()
        mouse, y = self.page.mouse, thumb["y"] + thumb["height"] / 2
        mouse.move(thumb["x"] + thumb["width"] / 2, y)
        mouse.down()
        mouse.move(box["x"] + share * box["width"], y, steps=12)
        mouse.up()


PROJECTOR = {"width": 1280, "height": 720}


@pytest.fixture(scope="session")
def contexts(chromium, served):
    return Contexts(chromium, served.url.removesuffix("/app"))


@contextlib.contextmanager
def visits(contexts, url: str) -> Iterator[Callable[..., Visitor]]:
    """A factory of visitors; at the end none of them may have met a fault.

    Who `spoils` its context, as by stopping the clock, is the last to have it.
    """
    ends, visitors = [], []

    def make(viewport=PROJECTOR, spoils=False, **options) -> Visitor:
        kept = contexts.borrow(options)
        ends.append(kept.context.close if spoils else kept.give_back)
        page = kept.context.new_page()
        page.set_viewport_size(viewport)
        visitors.append(Visitor(page, url))
        return visitors[-1]

    yield make
    for end in ends:
        end()
    faults = [fault for visitor in visitors for fault in visitor.faults]
    assert not faults, faults


@pytest.fixture
def visit(contexts, served):
    with visits(contexts, served.url) as make:
        yield make


@pytest.fixture
def visitor(visit):
    return visit()


def kept_open(slug: str):
    """A fixture: the page of a lab, opened once for all tests of a file that need no address of their own."""

    @pytest.fixture(scope="module")
    def opened(contexts, served):
        with visits(contexts, served.url) as visit:
            yield visit().open(f"?lab={slug}")

    return opened


@pytest.fixture
def trainee(visit):
    """A visitor of the training lab."""
    return TrainingVisitor(visit())
