"""What would throw a run away asks first, in the page."""

import pytest

from tests.app.conftest import visits
from tests.app.training_visitor import DOUBLE_CLICK, FOCUSED, LONG, TrainingVisitor

GIVEN_UP = "This gives up the run of"


def begun(trainee):
    trainee.press("one")
    trainee.wait_said("1 of 5000 steps; paused")
    if not trainee.button("end").is_visible():
        trainee.press("more")
    return trainee


@pytest.fixture(scope="module")
def opened(contexts, served):
    with visits(contexts, served.url) as visit:
        yield TrainingVisitor(visit()).open(LONG)


@pytest.fixture
def one_step(opened):
    """A run that has made one step, on a page opened once for all: each test ends the run that it has."""
    opened.without_a_run()
    yield begun(opened)
    assert not opened.visitor.faults


def places(trainee):
    """Where the buttons stand, in whole pixels."""
    boxes = [trainee.button(name).bounding_box() for name in ("start", "again", "anew", "end", "keep")]
    return [(round(box["x"]), round(box["y"])) for box in boxes]


def test_where_there_is_nothing_to_lose_nothing_is_asked(trainee):
    trainee.open(LONG)
    trainee.press("weights")
    trainee.page.wait_for_url("**seed=1*")
    assert not trainee.asks("weights")


def test_a_run_is_given_up_at_the_second_press_and_no_button_moves(one_step):
    before = places(one_step)
    one_step.press("end")
    assert one_step.wait_said(GIVEN_UP) == "This gives up the run of 1 step: press again to agree."
    assert one_step.asks("end")
    assert one_step.page.inner_text("[data-lab='training'] .run [role=alert].unseen") == one_step.said()
    assert places(one_step) == before
    one_step.page.wait_for_timeout(DOUBLE_CLICK)
    one_step.press("end")
    one_step.wait_said("1 of 5000 steps; ended")
    assert not one_step.asks("end")


def test_a_double_click_is_one_press(one_step):
    one_step.button("end").dblclick()
    one_step.wait_said(GIVEN_UP)
    one_step.page.wait_for_timeout(300)
    assert one_step.asks("end")
    one_step.page.wait_for_timeout(DOUBLE_CLICK)
    one_step.press("end")
    one_step.wait_said("ended")


def test_by_keyboard_escape_and_leaving_take_the_question_back(one_step):
    for way_back in ("Escape", "Tab"):
        one_step.button("anew").focus()
        one_step.page.keyboard.press("Enter")
        one_step.wait_said(GIVEN_UP)
        one_step.page.keyboard.press(way_back)
        one_step.wait_said("1 of 5000 steps; paused")
        assert one_step.button("anew").inner_text() == "Start anew"
    one_step.button("anew").focus()
    one_step.page.keyboard.press("Enter")
    one_step.page.wait_for_timeout(DOUBLE_CLICK)
    one_step.page.keyboard.press("Enter")
    one_step.wait_said("characters a second")
    one_step.agree("end")


def test_escape_folds_what_lies_behind_more_and_keeps_the_focus(one_step):
    one_step.button("end").focus()
    one_step.page.keyboard.press("Enter")
    one_step.wait_said(GIVEN_UP)
    one_step.page.keyboard.press("Escape")
    assert one_step.button("end").is_visible()
    one_step.page.keyboard.press("Escape")
    assert not one_step.button("end").is_visible()
    assert one_step.page.evaluate(FOCUSED)[0] == "more"
    assert one_step.button("more").get_attribute("aria-expanded") == "false"
    one_step.agree("end")


def test_a_question_that_gets_no_answer_is_taken_back(visit):
    trainee = begun(TrainingVisitor(visit(spoils=True)).open(LONG))
    trainee.page.clock.install()
    trainee.press("again")
    trainee.wait_said("This gives up the curves of 1 step: ")
    trainee.page.clock.run_for(8100)
    trainee.wait_said("1 of 5000 steps; paused")
    assert not trainee.asks("again")
    trainee.page.clock.run_for(1000)
    trainee.press("end")
    trainee.page.clock.run_for(1000)
    trainee.press("end")
    trainee.wait_said("ended")
