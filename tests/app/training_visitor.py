"""What the tests of the training lab ask of its page again and again."""

import re

import psutil

from tests.app.rest import come_to_rest

SMALL = "&hidden_size=16&batch_size=8&truncation=16"
"""A run that costs little."""
DOUBLE_CLICK = 600
"""Milliseconds after which a second click is no longer a double click."""
LONG = f"{SMALL}&steps=5000"
"""One that goes on for as long as a test looks at it."""

FOCUSED = """() => {
  let e = document.activeElement
  while (e?.shadowRoot?.activeElement) { e = e.shadowRoot.activeElement }
  return [e?.dataset?.action ?? null, e?.ariaDisabled ?? null]
}"""
"""The action of the button that has the focus, and whether it is off."""


class TrainingVisitor:
    """A visitor of the lab, and the run that is seen there."""

    def __init__(self, visitor):
        self.visitor, self.page = visitor, visitor.page

    def open(self, query: str = "") -> "TrainingVisitor":
        self.visitor.open(f"?lab=training{query}")
        return self

    def button(self, name: str):
        return self.page.locator(f"[data-lab='training'] [data-action='{name}']")

    def press(self, name: str) -> None:
        """Click a button of the run, wherever it lies."""
        if not self.button(name).is_visible():
            self.button("more").click()
        self.button(name).click()

    def agree(self, name: str) -> None:
        """Press what throws something away, and again when it asks, not as quickly as a double click."""
        self.press(name)
        self.page.wait_for_timeout(DOUBLE_CLICK)
        if self.asks(name):
            self.press(name)

    def without_a_run(self) -> None:
        """End the run that a test before may have left; one that it ended may still be on its way out."""
        come_to_rest(self.page)
        if self.enabled("end"):
            self.agree("end")
            self.wait_said("ended")

    def asks(self, name: str) -> bool:
        """Whether the button waits for a second press."""
        return self.button(name).inner_text() == "Really?"

    def enabled(self, name: str) -> bool:
        return self.button(name).get_attribute("aria-disabled") == "false"

    def said(self) -> str:
        return self.page.inner_text("[data-lab='training'] .run .said")

    def warning(self) -> str:
        return self.page.inner_text("[data-lab='training'] .run .warning")

    def wait_said(self, words: str, seconds: float = 20) -> str:
        self.visitor.see(f"[data-lab='training'] .run .said >> text={words}", seconds)
        return self.said()

    def wait_warning(self, words: str, seconds: float = 20) -> str:
        self.visitor.see(f"[data-lab='training'] .run .warning >> text={words}", seconds)
        return self.warning()

    def wait_answer(self, upload: str, words: str, seconds: float = 20) -> str:
        """What is said beside an upload."""
        answer = f"[data-lab='training'] [data-upload='{upload}'] .warning"
        self.visitor.see(f"{answer} >> text={words}", seconds)
        return self.page.inner_text(answer)

    def newest(self) -> str:
        """What is said of the newest sample beside the figures."""
        return self.page.inner_text("[data-lab='training'] .newest")

    @property
    def steps(self) -> int:
        """Steps made, as the page says."""
        return int(re.match(r"\d+", self.said()).group())

    def wait_steps(self, number: int, seconds: float = 40) -> None:
        for _ in range(round(10 * seconds)):
            if self.steps >= number:
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"not at step {number} after {seconds} s: {self.said()}")

    def samples(self) -> list[str]:
        return self.page.locator("[data-passage='samples'] li code").all_inner_texts()

    def hand_over(self, name: str, file: str, data: bytes) -> None:
        """Choose a file, as by its button."""
        field = self.page.locator(f"[data-lab='training'] [data-upload='{name}'] input[type=file]")
        field.set_input_files({"name": file, "mimeType": "application/octet-stream", "buffer": data})

    def download(self) -> bytes:
        with self.page.expect_download() as download:
            self.press("keep")
        with open(download.value.path(), "rb") as file:
            return file.read()


def workers(server) -> list[psutil.Process]:
    """The processes that train for a server."""
    children = psutil.Process(server.process.pid).children()
    return [child for child in children if "widgets.jobs.child" in child.cmdline()]
