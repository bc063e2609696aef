"""One run and more than one page: found again without its address, and followed by all who look at it."""

from playwright.sync_api import expect

from tests.app.conftest import Visitor
from tests.app.training_visitor import FOCUSED, LONG, SMALL, TrainingVisitor


def second_page(trainee, served) -> TrainingVisitor:
    """Another page of the same browser."""
    return TrainingVisitor(Visitor(trainee.page.context.new_page(), served.url))


def begun(trainee):
    trainee.open(LONG)
    trainee.press("one")
    trainee.wait_said("1 of 5000 steps; paused")
    trainee.page.wait_for_url("**run=*")
    return trainee


def test_a_page_without_the_run_in_its_address_offers_it(trainee, served):
    address = begun(trainee).page.url
    other = second_page(trainee, served).open()
    other.wait_warning("A run that was begun in this browser is still there, at step 1.")
    assert "run=" not in other.page.url
    other.press("accept")
    other.wait_said("1 of 5000 steps; paused")
    other.page.wait_for_url(address)
    expect(other.visitor.typed("Hidden size")).to_have_value("16")
    assert "Hidden size = 16" in other.warning()
    assert not other.button("accept").is_visible()
    assert other.page.evaluate(FOCUSED)[0] == "start"
    other.agree("end")
    other.page.wait_for_url(lambda url: "run=" not in url)
    trainee.open()
    trainee.page.wait_for_timeout(1000)
    assert trainee.warning() == ""
    assert not other.visitor.faults


def test_the_lab_opened_from_the_navigation_offers_it_too(trainee):
    begun(trainee)
    trainee.visitor.open("?lab=echo")
    trainee.page.click("[data-nav='training']")
    trainee.wait_warning("is still there, at step 1")
    trainee.press("accept")
    trainee.wait_said("1 of 5000 steps; paused")
    trainee.page.wait_for_url("**run=*")
    trainee.page.go_back()
    trainee.page.wait_for_url("**lab=echo*")
    trainee.page.go_forward()
    trainee.page.wait_for_url("**run=*")
    trainee.wait_said("1 of 5000 steps; paused")
    trainee.agree("end")


def test_a_page_follows_the_run_of_its_address_and_the_other_page(trainee, served):
    run = begun(trainee).page.url.split("run=")[1].split("&")[0]
    other = second_page(trainee, served).open(f"&hidden_size=64&steps=300&run={run}")
    said = other.wait_warning("so has taken over its settings")
    assert "Hidden size = 16" in said
    assert "Steps to make = 5000" in said
    expect(other.visitor.typed("Hidden size")).to_have_value("16")
    trainee.visitor.type_number("Learning rate η", "0.2")
    expect(other.visitor.typed("Learning rate η")).to_have_value("0.2")
    other.visitor.drag("Clip norm", 0.5)
    other.page.wait_for_timeout(1000)
    clipped = other.visitor.typed("Clip norm").input_value()
    assert clipped != "1.00"
    expect(trainee.visitor.typed("Clip norm")).to_have_value(clipped)
    expect(other.visitor.typed("Learning rate η")).to_have_value("0.2")
    other.agree("end")
    trainee.wait_warning("ended on another page")
    assert not other.visitor.faults


def test_the_file_of_a_run_is_headed_by_what_made_it(trainee):
    trainee.open(SMALL + "&steps=50")
    trainee.press("start")
    trainee.wait_said("done")
    trainee.visitor.type_number("Hidden size", "64")
    trainee.page.wait_for_url("**hidden_size=64*")
    trainee.page.wait_for_timeout(500)
    with trainee.page.expect_download() as download:
        trainee.page.click("[data-action='csv'] >> visible=true")
    text = download.value.path().read_text(encoding="utf-8")
    assert "# hidden_size = 16\n" in text
    assert "learning rate η,clipped to" in text
    trainee.agree("end")
