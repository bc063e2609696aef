"""Where the training lab shows what: on a projector, on a phone, and that nothing moves while the numbers change."""

import pytest
from playwright.sync_api import expect

from tests.app.training_visitor import LONG, SMALL, TrainingVisitor

PLACES = """() => {
  const lab = document.querySelector("*") && (function find(root) {
    for (const e of root.querySelectorAll("*")) {
      if (e.dataset?.lab === "training") { return e }
      const inner = e.shadowRoot && find(e.shadowRoot)
      if (inner) { return inner }
    }
  })(document)
  const parts = [...lab.querySelectorAll("h1, .chips, .top, .run, .run button, .run progress, .upload, " +
    ".newest, .stage .canvas, .readouts > div, .arithmetic, .more > .plot:not([hidden]) .canvas, .passage ol")]
  return parts.map((e) => {
    const {x, y, width, height} = e.getBoundingClientRect()
    return [e.dataset.action ?? e.className, ...[x, y + scrollY, width, height].map(Math.round)].join(" ")
  })
}"""


def settled(page):
    """Where everything stands once the page, which is laid out bit by bit, has come to rest."""
    seen = [page.evaluate(PLACES)]
    while len(seen) < 4 or seen[-4:] != [seen[-1]] * 4:
        page.wait_for_timeout(250)
        seen.append(page.evaluate(PLACES))
    return seen[-1]


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (390, 844)])
@pytest.mark.parametrize("query", ["", "&corpus=agreement&cell=rnn"])
def test_nothing_moves_while_a_run_goes_on(visit, size, query):
    trainee = TrainingVisitor(visit(viewport={"width": size[0], "height": size[1]}))
    trainee.open("&hidden_size=16&steps=50" + query)
    before = settled(trainee.page)
    trainee.press("start")
    for _ in range(300):
        assert trainee.page.evaluate(PLACES) == before
        if "done" in trainee.said():
            break
        trainee.page.wait_for_timeout(100)
    trainee.wait_said("done")
    trainee.page.wait_for_timeout(700)
    assert trainee.page.evaluate(PLACES) == before
    trainee.agree("end")


ESSENTIALS = (
    "h1", ".sentence", ".chips", ".look-for", "[data-action='start']", "[data-action='pause']", ".run progress",
    ".run .said", ".newest", ".stage figure:first-child .canvas", ".stage .canvas >> visible=true >> nth=-1",
)  # fmt: skip
FIRST_SETTINGS = ("Hidden size", "Truncation K", "Learning rate η", "Clip norm", "Steps to make")


@pytest.mark.parametrize("corpus", ["toy", "agreement", "brackets"])
def test_a_projector_shows_a_run_at_work_without_scrolling(trainee, corpus):
    """With agreement, where the errors reach is as much in view as that they are clipped."""
    trainee.open(f"{LONG}&corpus={corpus}")
    trainee.press("start")
    trainee.wait_steps(30)
    figures = trainee.page.locator("[data-lab='training'] .stage .canvas >> visible=true")
    assert figures.count() == (3 if corpus == "agreement" else 2)
    tops = [figures.nth(n).bounding_box()["y"] for n in range(figures.count())]
    assert tops[1:] == [tops[1]] * (len(tops) - 1)
    parts = [trainee.page.locator("[data-lab='training']").locator(part).first for part in ESSENTIALS]
    for part in parts + [trainee.visitor.slider(label) for label in FIRST_SETTINGS]:
        box = part.bounding_box()
        assert box["height"] > 0
        assert box["y"] + box["height"] <= 720, part
    trainee.agree("end")


def test_the_newest_sample_stands_with_the_figures(trainee):
    trainee.open(SMALL + "&steps=50")
    assert trainee.newest().strip() == "Nothing written yet."
    trainee.press("start")
    trainee.wait_said("done")
    trainee.page.wait_for_timeout(700)
    written = trainee.samples()[-1].rstrip().replace("\n", " ↵ ")
    step = trainee.page.locator("[data-passage='samples'] li .label").last.inner_text()
    assert trainee.newest() == f"It writes after {step}: {written}"
    trainee.agree("end")


def test_settings_of_another_run_are_answered_at_its_bar_and_move_nothing(trainee):
    trainee.open(LONG)
    trainee.press("one")
    trainee.wait_said("1 of 5000 steps; paused")
    trainee.page.wait_for_timeout(500)
    before = trainee.page.evaluate(PLACES)
    trainee.visitor.type_number("Hidden size", "32")
    said = trainee.wait_warning("Other settings are chosen now")
    assert trainee.page.inner_text("[data-lab='training']").count(said) == 1
    assert "urged" in trainee.button("anew").get_attribute("class")
    assert trainee.page.evaluate(PLACES) == before
    trainee.agree("end")


def test_a_projector_gives_the_loss_more_than_a_quarter_of_its_height(trainee):
    trainee.open(SMALL)
    canvas = trainee.page.locator("[data-lab='training'] .stage .canvas").first
    assert canvas.bounding_box()["height"] > 720 / 4


def test_figures_have_the_shares_of_the_window_that_their_corpus_gives_them(trainee):
    """What has left the stage has its own share of another height, 0.43 of 340 pixels."""
    heights = """(lab) => Object.fromEntries([...lab.querySelectorAll("figure:not([hidden])")].map((figure) =>
      [figure.querySelector("strong").textContent, figure.querySelector(".canvas").clientHeight]))"""
    trainee.open(SMALL)
    lab = trainee.page.locator("[data-lab='training']")
    toy = lab.evaluate(heights)
    assert toy["Loss"] / toy["Gradient"] == pytest.approx(0.57 / 0.43, rel=0.01)
    trainee.page.click("[data-preset='agreement']")
    expect(lab.locator(".stage")).to_contain_text("Learnt when")
    tested = lab.evaluate(heights)
    assert tested["Agreement by distance"] == tested["Learnt when"]
    assert tested["Loss"] / tested["Learnt when"] == pytest.approx(0.4 / 0.6, rel=0.01)
    assert tested["Gradient"] == pytest.approx(0.43 * 340, abs=1)


def test_what_went_wrong_stands_in_the_place_of_the_newest_sample(trainee):
    trainee.open(LONG)
    trainee.press("one")
    trainee.wait_said("1 of 5000 steps; paused")
    newest = trainee.page.locator("[data-lab='training'] .newest")
    expect(newest).to_be_visible()
    trainee.visitor.type_number("Hidden size", "32")
    trainee.wait_warning("Other settings are chosen now")
    expect(newest).to_be_hidden()
    warning = trainee.page.locator("[data-lab='training'] .run .warning").bounding_box()
    assert warning["y"] == pytest.approx(newest.bounding_box()["y"], abs=1)
    trainee.visitor.type_number("Hidden size", "16")
    expect(newest).to_be_visible()
    trainee.agree("end")


SMALL_TARGETS = """() => {
  const found = []
  const look = (root) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.shadowRoot) { look(e.shadowRoot) }
      const {height, width} = e.getBoundingClientRect()
      if (e.matches("button, summary") && e.checkVisibility() && width && height < 43.5) {
        found.push(`${e.textContent || e.className}: ${height}`)
      }
    }
  }
  look(document)
  return found
}"""


def test_a_finger_finds_every_button_on_a_phone(visit):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    trainee = TrainingVisitor(visit(**phone)).open(SMALL + "&corpus=own")
    trainee.page.click("[data-action='more']")
    assert trainee.page.evaluate(SMALL_TARGETS) == []
    assert trainee.page.evaluate("document.scrollingElement.scrollWidth") == 390
    start = trainee.button("start").bounding_box()
    assert start["y"] + start["height"] <= 844
