"""The tests' own browser: a context that is used again keeps its cache, and nothing of the visitor before."""

from tests.app.conftest import Visitor

KEPT = "localStorage.length + document.cookie.length"
TRANSFERRED = """() => performance.getEntriesByType("resource")
  .filter(({name}) => name.includes("/bokeh.min.js")).map(({transferSize}) => transferSize)"""


def leave_something(visitor) -> None:
    visitor.open()
    visitor.page.click("[data-action='theme']")
    visitor.page.evaluate("document.cookie = 'known=yes'")
    assert visitor.page.evaluate(KEPT) > 0
    visitor.page.context.new_page()


def test_the_next_visitor_finds_the_cache_and_nothing_else(contexts, served):
    first = contexts.borrow({})
    leave_something(Visitor(first.context.new_page(), served.url))
    first.give_back()
    second = contexts.borrow({})
    assert second is first
    visitor = Visitor(second.context.new_page(), served.url).open()
    assert len(second.context.pages) == 2
    assert visitor.page.evaluate(KEPT) == 0
    assert visitor.page.evaluate(TRANSFERRED) == [0]
    second.give_back()


def test_two_visitors_at_once_have_a_context_each(contexts):
    one, two, dark = contexts.borrow({}), contexts.borrow({}), contexts.borrow({"color_scheme": "dark"})
    assert len({id(kept.context) for kept in (one, two, dark)}) == 3
    for kept in (one, two, dark):
        kept.give_back()
