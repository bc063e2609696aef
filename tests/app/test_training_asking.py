"""What would throw a run away asks first, in the page."""

from tests.app.training_visitor import DOUBLE_CLICK, FOCUSED, LONG, TrainingVisitor

GIVEN_UP = "This gives up the run of"


def begun(trainee):
    trainee.open(LONG)
    trainee.press("one")
    trainee.wait_said("1 of 5000 steps; paused")
    trainee.press("more")
    return trainee


def places(trainee):
    """Where the buttons stand, in whole pixels."""
    boxes = [trainee.button(name).bounding_box() for name in ("start", "again", "anew", "end", "keep")]
    return [(round(box["x"]), round(box["y"])) for box in boxes]


def test_where_there_is_nothing_to_lose_nothing_is_asked(trainee):
    trainee.open(LONG)
    trainee.press("weights")
    trainee.page.wait_for_url("**seed=1*")
    assert not trainee.asks("weights")


def test_a_run_is_given_up_at_the_second_press_and_no_button_moves(trainee):
    begun(trainee)
    before = places(trainee)
    trainee.press("end")
    assert trainee.wait_said(GIVEN_UP) == "This gives up the run of 1 step: press again to agree."
    assert trainee.asks("end")
    assert trainee.page.inner_text("[data-lab='training'] .run [role=alert].unseen") == trainee.said()
    assert places(trainee) == before
    trainee.page.wait_for_timeout(DOUBLE_CLICK)
    trainee.press("end")
    trainee.wait_said("1 of 5000 steps; ended")
    assert not trainee.asks("end")


def test_a_double_click_is_one_press(trainee):
    begun(trainee)
    trainee.button("end").dblclick()
    trainee.wait_said(GIVEN_UP)
    trainee.page.wait_for_timeout(300)
    assert trainee.asks("end")
    trainee.page.wait_for_timeout(DOUBLE_CLICK)
    trainee.press("end")
    trainee.wait_said("ended")


def test_by_keyboard_escape_and_leaving_take_the_question_back(trainee):
    begun(trainee)
    for way_back in ("Escape", "Tab"):
        trainee.button("anew").focus()
        trainee.page.keyboard.press("Enter")
        trainee.wait_said(GIVEN_UP)
        trainee.page.keyboard.press(way_back)
        trainee.wait_said("1 of 5000 steps; paused")
        assert trainee.button("anew").inner_text() == "Start anew"
    trainee.button("anew").focus()
    trainee.page.keyboard.press("Enter")
    trainee.page.wait_for_timeout(DOUBLE_CLICK)
    trainee.page.keyboard.press("Enter")
    trainee.wait_said("characters a second")
    trainee.agree("end")


def test_escape_folds_what_lies_behind_more_and_keeps_the_focus(trainee):
    begun(trainee)
    trainee.button("end").focus()
    trainee.page.keyboard.press("Enter")
    trainee.wait_said(GIVEN_UP)
    trainee.page.keyboard.press("Escape")
    assert trainee.button("end").is_visible()
    trainee.page.keyboard.press("Escape")
    assert not trainee.button("end").is_visible()
    assert trainee.page.evaluate(FOCUSED)[0] == "more"
    assert trainee.button("more").get_attribute("aria-expanded") == "false"
    trainee.agree("end")


def test_a_question_that_gets_no_answer_is_taken_back(visit):
    trainee = begun(TrainingVisitor(visit(spoils=True)))
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
