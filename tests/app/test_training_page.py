"""A run in a real browser: begun, watched, paused, left and found again."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.app.conftest import visits
from tests.app.training_visitor import FOCUSED, LONG, SMALL, TrainingVisitor, workers
from widgets.training.corpora import corpus_text

IN_THE_BAR = ("start", "pause", "one", "anew", "more")
RARE = ("again", "weights", "end")


@pytest.fixture(scope="module")
def opened(contexts, served):
    with visits(contexts, served.url) as visit:
        yield TrainingVisitor(visit()).open(LONG)


@pytest.fixture
def kept(opened):
    """A page opened once for all who begin a run of their own there; none is left of the test before."""
    opened.without_a_run()
    return opened


def known_share(sample: str) -> float:
    """How many words of a sample are words of the toy language."""
    known, words = set(corpus_text("toy").split()), sample.split()
    return sum(word in known for word in words) / max(1, len(words))


def test_the_toy_language_is_learnt_from_noise_to_its_words(trainee):
    trainee.open()
    trainee.press("start")
    trainee.wait_said("done", 120)
    assert trainee.visitor.readout("training.guessing") == pytest.approx(3.09, abs=0.005)
    assert trainee.visitor.readout("training.loss") < 0.2
    assert trainee.visitor.readout("training.fresh") < 0.2
    trainee.page.wait_for_timeout(600)
    samples = trainee.samples()
    assert known_share(samples[0]) < 0.3
    assert known_share(samples[-1]) > 0.8
    beyond = "e => e.scrollHeight - e.clientHeight - e.scrollTop"
    assert trainee.page.locator("[data-passage='samples'] ol").evaluate(beyond) < 4


def test_a_run_pauses_within_half_a_second_goes_on_steps_and_ends(trainee, served):
    trainee.open(LONG)
    trainee.press("start")
    trainee.wait_steps(20)
    (worker,) = (w for w in workers(served) if w.cpu_percent(0.2) > 20)
    trainee.press("pause")
    trainee.page.wait_for_timeout(500)
    spent = sum(worker.cpu_times()[:2])
    trainee.wait_said("paused")
    stood = trainee.steps
    trainee.page.wait_for_timeout(1000)
    assert trainee.steps == stood
    assert sum(worker.cpu_times()[:2]) - spent < 0.1
    trainee.press("one")
    trainee.wait_said(f"{stood + 1} of 5000 steps; paused")
    trainee.press("start")
    trainee.wait_steps(stood + 20)
    trainee.agree("end")
    said = trainee.wait_said("steps; ended")
    assert stood + 20 <= int(said.split()[0])
    trainee.page.wait_for_url(lambda url: "run=" not in url)
    assert trainee.page.locator("[data-passage='samples'] li").count() > 1
    assert trainee.download()
    trainee.press("one")
    trainee.wait_said("1 of 5000 steps; paused")
    trainee.agree("end")


def test_five_quick_clicks_on_one_step_are_five_steps(kept):
    for _ in range(5):
        kept.press("one")
    kept.wait_said("5 of 5000 steps; paused")
    kept.agree("end")


def test_a_step_that_takes_long_is_broken_off_made_again_and_no_failure(trainee, served):
    """A step of this net takes about a second; the process that makes it lives on."""
    trainee.open("&layers=3&hidden_size=256&batch_size=64&truncation=128")
    trainee.press("start")
    trainee.wait_steps(2)
    before = {worker.pid for worker in workers(served)}
    trainee.page.wait_for_timeout(300)
    trainee.press("pause")
    trainee.wait_said("paused")
    assert trainee.warning() == ""
    assert {worker.pid for worker in workers(served)} == before
    made = trainee.steps
    trainee.press("start")
    trainee.wait_steps(made + 2)
    trainee.press("end")


def test_inside_the_net_follows_the_run_while_it_goes_on(kept):
    kept.press("start")
    seen = set()
    for _ in range(100):
        kept.page.wait_for_timeout(100)
        seen.add(kept.page.inner_text("[data-passage='inside'] .caption").split(" The stronger")[0])
        if len(seen) > 3:
            break
    assert "steps; " in kept.said()
    assert sum("of this run’s last checkpoint, after" in caption for caption in seen) > 2
    kept.agree("end")


def test_going_back_to_the_same_weights_makes_the_same_losses(kept):
    kept.press("one")
    kept.wait_said("1 of 5000 steps; paused")
    first = kept.visitor.readout("training.loss")
    kept.agree("again")
    kept.wait_said("0 of 5000 steps")
    kept.press("one")
    kept.wait_said("1 of 5000 steps; paused")
    assert kept.visitor.readout("training.loss") == first
    kept.agree("weights")
    kept.wait_said("0 of 5000 steps")
    kept.press("one")
    kept.wait_said("1 of 5000 steps; paused")
    assert kept.visitor.readout("training.loss") != first
    kept.page.wait_for_url("**seed=1*")
    kept.agree("end")


def test_a_reload_finds_the_run_again(trainee):
    trainee.open(LONG)
    trainee.press("start")
    trainee.wait_steps(40)
    trainee.page.wait_for_url("**run=*")
    trainee.visitor.see("[data-passage='samples'] li:nth-child(3)")
    steps, samples = trainee.steps, trainee.samples()
    trainee.page.reload()
    trainee.visitor.see("[data-readout] >> visible=true")
    assert trainee.steps >= steps
    assert trainee.samples()[: len(samples)] == samples
    trainee.wait_steps(steps + 20)
    trainee.agree("end")


def test_another_lab_answers_meanwhile_and_back_finds_the_run(trainee):
    trainee.open(LONG)
    trainee.press("start")
    trainee.wait_steps(10)
    trainee.page.wait_for_url("**run=*")
    steps = trainee.steps
    trainee.page.click("[data-nav='echo']")
    trainee.page.wait_for_url("**/app?lab=echo")
    trainee.visitor.drag("Recurrent weight w", 1.0)
    trainee.visitor.wait_readout("echo.reference", 8.0)
    assert "run=" not in trainee.page.url
    trainee.page.go_back()
    trainee.page.wait_for_url("**lab=training*run=*")
    trainee.wait_steps(steps + 20)
    trainee.page.go_forward()
    trainee.page.wait_for_url("**/app?lab=echo*")
    trainee.page.go_back()
    trainee.visitor.see("[data-lab='training'] >> visible=true")
    trainee.agree("end")


def test_a_copied_link_shares_the_settings_and_not_the_run(visit):
    visitor = visit(permissions=["clipboard-read", "clipboard-write"])
    trainee = TrainingVisitor(visitor).open(LONG)
    trainee.press("one")
    trainee.wait_said("1 of 5000")
    trainee.page.wait_for_url("**run=*")
    trainee.page.click("[data-action='copy-link']")
    trainee.visitor.see("text=Link copied")
    link = trainee.page.evaluate("navigator.clipboard.readText()")
    assert "run=" not in link
    other = TrainingVisitor(visit()).open(link.split("lab=training")[1])
    assert other.said() == "0 of 5000 steps; not begun"
    expect(other.visitor.typed("Hidden size")).to_have_value("16")
    trainee.agree("end")


def test_an_address_of_a_run_that_is_no_more_says_what_is_lost(trainee):
    trainee.open(LONG + "&run=nobody-knows-it")
    said = trainee.wait_warning("No run is known")
    assert "its weights, curves and samples are lost" in said
    assert trainee.enabled("start")
    trainee.page.wait_for_url(lambda url: "run=" not in url)


def test_a_run_that_diverges_pauses_says_so_and_goes_on_with_a_mended_recipe(trainee):
    trainee.open(
        "&corpus=prose&cell=rnn&layers=3&truncation=128&hidden_size=64&batch_size=4&clipping=none&learning_rate=1"
    )
    trainee.press("start")
    said = trainee.wait_warning("diverged", 60)
    assert "are kept" in said
    assert "stopped by a fault" in trainee.said()
    assert "NaN" not in trainee.page.inner_text("[data-lab='training']")
    kept = trainee.steps
    trainee.visitor.type_number("Learning rate η", "0.001")
    trainee.page.click("summary >> text=Recipe")
    trainee.page.locator("[data-lab='training'] button[value='before'] >> visible=true").click()
    trainee.page.wait_for_url(lambda url: "clipping=" not in url)
    trainee.press("start")
    trainee.wait_steps(kept + 5)
    assert trainee.warning() == ""
    trainee.agree("end")


def test_every_button_is_reached_by_tab_and_disabled_ones_say_so(trainee):
    trainee.open(LONG)
    trainee.page.locator("[data-lab='training'] .top [data-action='fit']").focus()

    def reached(count: int) -> list:
        found = []
        for _ in range(count):
            trainee.page.keyboard.press("Tab")
            found.append(trainee.page.evaluate(FOCUSED))
        return found

    found = reached(len(IN_THE_BAR))
    assert [name for name, _ in found] == list(IN_THE_BAR)
    assert trainee.button("more").get_attribute("aria-expanded") == "false"
    trainee.page.keyboard.press("Enter")
    assert trainee.button("more").get_attribute("aria-expanded") == "true"
    found += reached(len(RARE))
    assert [name for name, _ in found[len(IN_THE_BAR) :]] == list(RARE)
    off = {name for name, disabled in found if disabled == "true"}
    assert off == {"pause", "again", "anew", "end"}
    trainee.button("pause").focus()
    trainee.page.keyboard.press("Enter")
    trainee.button("one").focus()
    trainee.page.keyboard.press("Enter")
    trainee.wait_said("1 of 5000 steps; paused")
    assert trainee.page.evaluate(FOCUSED) == ["one", "false"]
    trainee.agree("end")


def test_axe_finds_nothing_serious_in_a_trained_net_in_either_theme(trainee):
    trainee.open(SMALL + "&corpus=brackets&steps=50")
    for fold in ("Model:", "Recipe:", "Samples, and inside", "What the settings mean"):
        trainee.page.click(f"summary >> text={fold}")
    trainee.press("more")
    trainee.press("start")
    trainee.wait_said("done")
    trainee.hand_over("text", "bad", b"")
    trainee.wait_answer("text", "empty")
    trainee.page.click("summary >> text=Paste it instead")
    trainee.page.click("[data-action='pin'] >> visible=true")
    trainee.visitor.type_number("Hidden size", "32")
    trainee.wait_warning("Other settings are chosen now")
    for theme in ("light", "dark"):
        trainee.page.wait_for_timeout(700)
        assert trainee.page.evaluate("document.documentElement.dataset.theme") == theme
        found = Axe().run(trainee.page).response["violations"]
        serious = [
            (v["id"], [(n["target"], n["html"][:80]) for n in v["nodes"]][:5])
            for v in found
            if v["impact"] in ("serious", "critical")
        ]
        assert not serious, (theme, serious)
        trainee.page.click("[data-action='theme']")
    trainee.agree("end")
