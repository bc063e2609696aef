"""A lab that fails while it is built, or lacks its text, costs no other lab and no header."""

import shutil

import pytest

from tests.app.conftest import ROOT, Served, Visitor


@pytest.fixture
def broken(tmp_path):
    """A server of a copy of the project in which the gates fail and the echo has no text."""
    for folder in ("app", "core", "widgets", "assets"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / "assets" / "text" / "echo.md").unlink()
    with (tmp_path / "widgets" / "gates" / "plots.py").open("a") as file:
        file.write("\n\ndef plots(*anything):\n    raise RuntimeError('broken on purpose')\n")
    server = Served(tmp_path, root=tmp_path)
    yield server
    server.stop()


def test_a_broken_lab_says_so_and_the_others_answer(broken, chromium):
    page = chromium.new_page()
    visitor = Visitor(page, broken.url).open("?lab=gates", ready="main.missing")
    said = page.inner_text("main.missing [role=alert]")
    assert "“Gates” could not be opened" in said
    assert "broken on purpose" not in said
    assert "broken on purpose" in broken.log()
    page.click("[data-nav='echo']")
    visitor.see("[data-lab='echo'] >> visible=true")
    visitor.drag("Recurrent weight w", 1.0)
    visitor.wait_readout("echo.reference", 8.0)
    visitor.see("text=The text about this lab could not be read")
    page.click("[data-nav='gates']")
    visitor.see("main.missing >> visible=true")
    page.wait_for_url("**/app?lab=gates")
    page.go_back()
    visitor.see("[data-lab='echo'] >> visible=true")
    assert not page.locator("main.missing").is_visible()
    assert not visitor.faults
    page.close()
