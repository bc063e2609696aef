"""A connection that is cut for a moment and comes back: the page answers again, and all that it shows agrees."""

import pytest

from tests.app.test_training_server import KEEP_SOCKETS


@pytest.mark.parametrize(
    ("slug", "label", "setting", "key"),
    [
        ("cost", "Hidden size dₕ", "hidden_size", "PageUp"),
        ("dropout", "Dropout rate ρ", "rate", "ArrowUp"),
        ("bptt", "Spectral radius ρ", "spectral_radius", "ArrowUp"),
    ],
)
def test_a_page_comes_back_after_a_cut_and_agrees_with_itself(visit, slug, label, setting, key):
    visitor = visit()
    page = visitor.page
    page.add_init_script(KEEP_SOCKETS)
    visitor.open(f"?lab={slug}")
    sockets = page.evaluate("sockets.length")
    page.evaluate("sockets.at(-1).close()")
    visitor.see(".lost")
    visitor.slider(label).press(key)
    page.wait_for_function(f"sockets.length > {sockets}")
    visitor.see(".lost", seconds=20, state="hidden")
    visitor.slider(label).press(key)
    page.wait_for_function(f"location.search.includes('{setting}=')")
    page.wait_for_timeout(500)
    written = float(page.evaluate(f"new URLSearchParams(location.search).get('{setting}')"))
    assert float(visitor.slider(label).input_value()) == pytest.approx(written)
    assert written != 0
