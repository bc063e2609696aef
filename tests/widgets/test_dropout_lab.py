"""The dropout lab without a browser: its settings, what it says, and the numbers of tying."""

import math
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from core.memory_masks import SCHEMES
from tests.widgets import lab_readings as readings
from widgets.base.numbers import from_log10, number
from widgets.dropout.curves import UNITS
from widgets.dropout.lab import DropoutLab

TEXT = (Path(__file__).parents[2] / "assets/text/dropout.md").read_text(encoding="utf-8")
SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
MASKING = ("fresh", "variational", "non-recurrent", "dropconnect")


lab_with = partial(readings.lab_with, DropoutLab)
frame_with = partial(readings.frame_with, DropoutLab)
values = partial(readings.values_with, DropoutLab)
texts = partial(readings.texts_with, DropoutLab)


def test_settings_are_those_of_the_design():
    settings = DropoutLab.settings()
    assert settings["scheme"].objects == ["none", "fresh", "variational", "non-recurrent", "dropconnect"]
    ranges = {name: (settings[name].bounds, settings[name].default) for name in ("rate", "steps", "seed")}
    assert ranges == {"rate": ((0, 0.8), 0.2), "steps": ((10, 500), 100), "seed": ((0, 9999), 0)}


def test_the_bare_lab_is_the_first_preset():
    assert DropoutLab().present_preset() is DropoutLab.presets[0]


def test_fresh_masks_by_hand():
    """.8^100 = 2.037036e-10, 1/.8^100 = 4.909093e9, log .5/log .8 = 3.106284."""
    shown = values()
    assert shown["share"] == pytest.approx(2.037036e-10, rel=1e-6)
    assert shown["scale"] == pytest.approx(4.909093e9, rel=1e-6)
    assert shown["half_life"] == pytest.approx(3.106284, rel=1e-6)
    assert shown["mean_value"] == pytest.approx(1, rel=1e-9)
    assert shown["all_gone"] == pytest.approx(1 - 25 * 2.037036e-10, rel=1e-9)
    assert (shown["median"], shown["empty"], shown["masks"]) == (0, 1, 99)


@pytest.mark.parametrize("scheme", ["variational", "dropconnect"])
def test_masks_that_last_by_hand(scheme):
    """.2^25 = 3.355443e-18; .8 · 4.909093e9 = 3.927275e9."""
    shown = values(scheme=scheme)
    assert shown["share"] == pytest.approx(0.8)
    assert shown["all_gone"] == pytest.approx(3.355443e-18, rel=1e-6)
    assert shown["mean_value"] == pytest.approx(3.927275e9, rel=1e-6)
    assert shown["half_life"] == math.inf
    assert texts(scheme=scheme)["half_life"] == "none: it settles"
    assert texts(scheme=scheme)["masks"] == "99, one draw"
    assert texts(scheme=scheme, rate=0.8)["half_gone"] == "at step 1"


def test_the_middle_of_the_memories_by_hand():
    """Of a binomial law of 25 units: with q = .97^100 = .0476 a tenth hold none, and 88.1 % at most 2, 96.8 % at most
    3; with q = .5, 5.4 % hold at most 8, 11.5 % at most 9, 88.5 % at most 15, 94.6 % at most 16."""
    for settings, middle, width in (
        ({"rate": 0.03}, "0 to 0.120", 3 / 25),
        ({"scheme": "variational", "rate": 0.5}, "0.360 to 0.640", 7 / 25),
        ({}, "0 to 0", 0),
    ):
        assert texts(**settings)["middle"] == middle
        assert values(**settings)["middle"] == pytest.approx(width)


def test_a_readout_takes_one_line_whatever_the_rate():
    """A box of the projector holds some 15 characters: the page jumps where a hand moves the rate from one to two."""
    for scheme in ("fresh", "variational"):
        for rate in np.arange(0, 0.81, 0.04):
            shown = texts(scheme=scheme, rate=float(rate))
            assert max(len(shown[key]) for key in ("median", "middle", "share", "empty")) <= 15


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_seed_is_out_of_play_where_it_moves_nothing_and_nowhere_else(scheme):
    def shown(**settings):
        frame = frame_with(scheme=scheme, **settings)
        columns = [np.asarray(column).tolist() for held in frame.columns.values() for column in held.values()]
        return str((columns, frame.readouts, frame.sentence, frame.table))

    idle = lab_with(scheme=scheme).idle()
    first = shown()
    for name, other in (("seed", 7), ("rate", 0.5), ("steps", 40)):
        assert (shown(**{name: other}) == first) == (name in idle), name


@pytest.mark.parametrize("steps", [10, 500])
def test_masks_are_counted_between_the_steps_that_are_named(steps):
    """From step 1 to step T are T − 1 hops; the memory, which holds the bit before step 1, makes T."""
    frame = frame_with(steps=steps)
    (masks,) = (r for r in frame.readouts if r.key == "masks")
    assert (masks.label, masks.value) == (
        f"masks a bit meets from step 1 to step {steps}, 2 layers "
        "(the memory, written before step 1, meets one more)",
        steps - 1,
    )
    assert frame.arithmetic[0].startswith(f"q_{steps} = (1 − ρ)^{steps} = ")
    assert "(the bit is there before step 1)" in TEXT


@pytest.mark.parametrize("scheme", ["none", "non-recurrent"])
def test_of_no_memory_is_it_said_that_it_meets_a_mask_that_it_does_not_meet(scheme):
    assert [r.label for r in frame_with(scheme=scheme).readouts if r.key == "masks"] == [
        "masks a bit meets from step 1 to step 100, 2 layers"
    ]


@pytest.mark.parametrize("scheme", ["variational", "dropconnect"])
@pytest.mark.parametrize("seed", [0, 7])
def test_the_sentence_says_what_this_draw_lost(scheme, seed):
    """Of the mean it says 20 %, five of 25; how many rows end at step 1 is seen below."""
    frame = frame_with(scheme=scheme, seed=seed)
    lost = len(frame.columns["losses"]["row"])
    assert f"20\u00a0% of them at step 1 (in this draw {lost});" in frame.sentence


@pytest.mark.parametrize("scheme", ["none", "non-recurrent"])
def test_a_memory_that_is_spared_keeps_all_at_every_rate(scheme):
    for rate in (0.0, 0.2, 0.8):
        shown = values(scheme=scheme, rate=rate, steps=500)
        assert (shown["share"], shown["median"], shown["all_gone"], shown["scale"]) == (1, 1, 0, 1)
        assert shown["masks"] == (3 if scheme == "non-recurrent" else 0)
    assert texts(scheme=scheme)["half_life"] == "none: it stays"


def test_a_rate_of_0_leaves_every_scheme_alone():
    for scheme in SCHEMES:
        shown = texts(scheme=scheme, rate=0.0)
        assert (shown["share"], shown["half_life"]) == ("1", "none: it stays")
        frame = frame_with(scheme=scheme, rate=0.0)
        assert frame.notes == ["At rate 0 all schemes coincide: their lines lie within each other."]
        if scheme != "none":
            assert frame.sentence.startswith("At rate 0 nothing is dropped")


def test_half_of_a_memory_is_gone_when_the_median_says_so():
    for seed in range(3):
        shown = values(rate=0.01, steps=500, seed=seed)
        assert shown["half_life"] == pytest.approx(68.9676, rel=1e-5)
        assert shown["half_gone"] == pytest.approx(68.97, abs=8)
    assert texts(rate=0.01, steps=10)["half_gone"] == "not by step 10"


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("rate", [0.0, 0.01, 0.2, 0.5, 0.8])
@pytest.mark.parametrize("steps", [10, 100, 500])
def test_the_sentence_agrees_with_the_readouts(scheme, rate, steps):
    frame = frame_with(scheme=scheme, rate=rate, steps=steps)
    shown = {r.key: r for r in frame.readouts}
    assert f"step {steps}" in frame.sentence
    if scheme in ("none", "non-recurrent") or rate == 0:
        assert shown["share"].value == 1
        assert f"all hold it at step {steps}" in frame.sentence
        return
    share = shown["share"].value
    log10 = frame.columns["shares"][scheme][-1]
    said = f"{number(100 * share)}\u00a0%" if share >= 1e-3 else from_log10(log10)
    assert re.search(rf"(?<![\d.·]){re.escape(said)} (of them still )?hold it", frame.sentence)
    if scheme == "fresh":
        assert f"fresh masks halve them in {shown['half_life'].text}" in frame.sentence
        verdict = "Not here" if share < 0.5 else "Not for long" if share < 0.9 else "Hardly felt yet"
        assert frame.sentence.startswith(verdict)
    else:
        assert f"{number(100 * rate)}\u00a0% of them at step 1" in frame.sentence


@pytest.mark.parametrize(
    ("rate", "steps", "said"),
    [
        (
            0.01,
            10,
            "Hardly felt yet: 25 units hold one bit; fresh masks halve them in 69.0 steps; at step 10, 90.4\u00a0%",
        ),
        (1e-9, 100, "at step 100, nearly all of them still hold it."),
        (0.05, 10, "Not for long: "),
    ],
)
def test_the_verdict_goes_by_what_is_left(rate, steps, said):
    """0.99¹⁰ = 0.9044 and 0.95¹⁰ = 0.599."""
    assert said in frame_with(scheme="fresh", rate=rate, steps=steps).sentence


def test_sentence_and_hints_keep_to_one_line_of_the_projector():
    for scheme in SCHEMES:
        for rate in np.arange(0, 0.81, 0.01):
            sentence = frame_with(scheme=scheme, rate=float(rate), steps=500).sentence
            assert len(re.sub("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]", "", sentence)) <= 120
    assert max(len(preset.look_for) for preset in DropoutLab.presets) <= 100


def reckon(term: str) -> float:
    term = re.sub(r"·?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: "e" + m[1].translate(SUPERSCRIPTS), term)
    return eval(term.replace("^", "**"), {"__builtins__": {}})


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("rate", "steps"), [(0.2, 100), (0.03, 50), (0.37, 10)])
def test_the_arithmetic_can_be_reckoned_again(scheme, rate, steps):
    shown, lines = (
        values(scheme=scheme, rate=rate, steps=steps),
        frame_with(scheme=scheme, rate=rate, steps=steps),
    )
    first, gone, *more = lines.arithmetic
    power, *printed = first.split(" = ")[2:]
    for term in (power, *printed):
        assert reckon(term) == pytest.approx(shown["share"], rel=6e-3)
    assert f"^{UNITS} = " in gone
    assert reckon(gone.rsplit(" = ", 1)[1]) == pytest.approx(shown["all_gone"], rel=6e-3)
    assert len(more) == {"fresh": 2, "variational": 1, "dropconnect": 1}.get(scheme, 0)
    if more:
        left, scale = more[0].split(" = ")[1:]
        assert reckon(left) == pytest.approx(reckon(scale), rel=6e-3) == shown["scale"]
    if scheme == "fresh":
        assert float(more[1].split(" = ")[-1].split()[0]) == pytest.approx(shown["half_life"], rel=6e-4)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("rate", [0.0, 0.2])
def test_the_sentence_says_first_which_memory_and_which_bit_are_meant(scheme, rate):
    rest = frame_with(scheme=scheme, rate=rate).sentence.partition(": ")[2]
    assert rest.startswith("25 units hold one bit")


def test_notes_say_what_is_0_and_what_is_not_drawn():
    fresh, one_mask, spared = (frame_with(scheme=scheme).notes for scheme in ("fresh", "variational", "none"))
    median = frame_with().table.columns[1]
    assert f"From step {median.index(0.0)} on the median is 0" in fresh[0]
    for notes in (fresh, one_mask):
        assert "a unit that is left holds 4.91·10⁹ in place of 1" in notes[-1]
    assert not spared


def test_what_the_hints_say_holds():
    hints = {preset.name: preset.look_for for preset in DropoutLab.presets}
    shown = values(**DropoutLab().preset("one-in-a-hundred").settings)
    assert "after 69 steps" in hints["one-in-a-hundred"]
    assert round(shown["half_life"]) == 69
    assert "one unit in 152" in hints["one-in-a-hundred"]
    assert 1 / shown["share"] == pytest.approx(152, abs=0.5)
    preset = DropoutLab().preset("four-fifths")
    assert "Some 5 of 25" in preset.look_for
    assert "3.27·10⁻³⁵⁰" in preset.look_for
    assert values(**preset.settings)["share"] * UNITS == pytest.approx(5)
    assert 500 * math.log10(0.2) == pytest.approx(math.log10(3.27) - 350, abs=6e-4)


def test_the_rate_that_the_first_hint_asks_for_is_a_tick_of_the_slider():
    asked = int(re.search(r"a half of it lasts (\d+) steps", DropoutLab.presets[0].look_for)[1])
    setting = DropoutLab.settings()["rate"]
    ticks = np.arange(setting.bounds[0] + setting.step, setting.bounds[1], setting.step)
    found = [tick for tick in ticks if round(math.log(0.5) / math.log(1 - tick)) == asked]
    assert len(found) == 1
    assert values(rate=float(found[0]))["half_life"] == pytest.approx(asked, abs=0.5)


def test_the_table_holds_what_is_drawn():
    frame = frame_with(rate=0.05, steps=60)
    columns = dict(zip(frame.table.headings, frame.table.columns, strict=True))
    drawn = frame.columns["shares"]
    assert columns["t"] == list(range(61))
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(np.log10(columns["median share"]), drawn["median"])
        np.testing.assert_allclose(np.log10(columns["the memory shown"]), drawn["shown"])
    np.testing.assert_allclose(columns["closed form, fresh"], 0.95 ** np.arange(61), rtol=1e-12)
    np.testing.assert_allclose(columns["memories all gone"], frame.columns["gone"]["drawn"])
    np.testing.assert_allclose(
        columns["probability of that"], (1 - 0.95 ** np.arange(61)) ** UNITS, rtol=1e-9
    )
    np.testing.assert_allclose(columns["a unit that is left holds"], 0.95 ** -np.arange(61.0), rtol=1e-12)
    last = frame_with(rate=0.8, steps=500).table.rows[-1]
    assert "3.27·10⁻³⁵⁰" in last
    assert "3.05·10³⁴⁹" in last


def test_what_tying_saves():
    """By hand and as printed: Press and Wolf (2017) give 4.6, and tied 2.6, million for the small network, 66 and 51
    for the large one."""
    table = DropoutLab().comparison()()
    rows = {row[0]: dict(zip(table.headings, row, strict=True)) for row in table.rows}
    small, large = rows["words, small, Zaremba 2014"], rows["words, large, the same"]
    layers = 2 * 4 * (200 * 200 + 200 * 200 + 200)
    assert small["untied"] == f"{2 * 200 * 10_000 + 10_000 + layers:,}" == "4,651,600"
    assert (small["tied"], small["saved"], small["share saved"]) == ("2,651,600", "2,000,000", "43.0\u00a0%")
    assert (large["untied"], large["tied"]) == ("66,022,000", "51,022,000")
    assert (large["V"], large["d"], large["d_h"], small["d"]) == ("10,000", "1,500", "1,500", "200")
    assert table.caption.endswith(".")
    few = rows["27 characters"]
    assert few["saved"] == f"−{128 * 32 - 128 * 27}" == "−640"
    assert few["share saved"].startswith("−")
    assert DropoutLab().comparison() == lab_with(scheme="none", rate=0.5).comparison()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("rate", [0.0, 1e-10, 0.8])
@pytest.mark.parametrize("steps", [10, 500])
def test_extremes_compute_without_a_warning(scheme, rate, steps):
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        frame = frame_with(scheme=scheme, rate=rate, steps=steps)
    words = " ".join([frame.sentence, *frame.notes, *frame.arithmetic, *(r.text for r in frame.readouts)])
    assert "nan" not in words.lower()
    assert "not finite" not in words
