"""What the cost lab says: one answer for each picture, readouts in groups, arithmetic that can be reckoned again."""

import itertools
import re
from functools import partial
from pathlib import Path

import pytest

from tests.widgets import lab_readings as readings
from widgets.base.numbers import count
from widgets.cost.declared import PICTURES
from widgets.cost.lab import CostLab
from widgets.cost.sentences import in_time
from widgets.cost.stopwatch import WIDTHS

TEXT = (Path(__file__).parents[2] / "assets/text/cost.md").read_text(encoding="utf-8")
PARTS = {"rnn": 1, "lstm": 4, "gru": 3}
SMALL = {
    "cell": "rnn", "input_size": 3, "hidden_size": 4, "vocabulary": 20, "directions": "2", "length": 10,
}  # fmt: skip


lab_with = partial(readings.lab_with, CostLab)
values = partial(readings.values_with, CostLab)
texts = partial(readings.texts_with, CostLab)


@pytest.mark.parametrize(
    "settings", [{}, SMALL, {"layers": 3, "tied": True, "biases": "two"}, {"cell": "gru", "vocabulary": 0}]
)
def test_the_arithmetic_can_be_reckoned_again(settings):
    lab = lab_with(**settings)
    layer, whole, crossing, kept, window = lab.compute().arithmetic
    shown = values(**settings)
    for line in (layer, whole, kept, window):
        terms, total = re.search(r"(?:: |= )([^=:]*) = ([\d,]+)$", line).groups()
        reckoned = re.sub(r"[a-z ]", "", terms).replace(",", "").replace("·", "*").replace("²", "**2")
        assert eval(reckoned, {"__builtins__": {}}) == int(total.replace(",", ""))
    today = {"d": lab.input_size, "d_h": lab.hidden_size, "n": lab.window}
    for line in (layer, window):
        letters, total = re.search(r": (.*) = .* = ([\d,]+)$", line).groups()
        written = letters.replace("·", "*").replace("²", "**2")
        assert eval(written, {"__builtins__": {}}, today) == int(total.replace(",", ""))
    assert window.endswith(f"= {count(int(shown['window_layer']))}")
    assert whole.endswith(f"= {count(int(shown['total']))}")
    assert kept.endswith(f"= {count(int(shown['kept']))}")
    attention, recurrent = re.search(r"attention takes (.*), layer \d takes (.*):", crossing).groups()
    now = int(shown["crossing"])
    at_t, layer = (
        eval(term.replace("²", "**2").replace("·", "*"), {"__builtins__": {}}, {"t": now})
        for term in (attention, recurrent)
    )
    assert layer == shown["layer_token"]
    assert at_t == values(**{**settings, "length": now})["attention_token"]
    assert crossing.endswith(f"from t = {count(now)} on")


def test_the_presets_show_what_they_say():
    hints = {preset.name: (preset.look_for, preset.settings) for preset in CostLab.presets}
    look_for, one = hints["one-layer"]
    assert f"{values(**one)['total']:,.0f} parameters with one bias" in look_for
    assert f"{values(**one, biases='two')['total']:,.0f} with two" in look_for
    look_for, tied = hints["tied"]
    free = values(**{**tied, "tied": False})
    assert f"share {free['total'] - values(**tied)['total']:,.0f} weights" in look_for
    assert free["step"] == values(**tied)["step"]
    look_for, both = hints["both-ways"]
    assert f"{values(**both)['in_a_row']:,.0f} steps wait for one another" in look_for
    assert values(**{**both, "directions": "1"})["in_a_row"] == 1001
    narrow, wide = (values(hidden_size=size) for size in (256, 512))
    assert 3 < wide["recurrent"] / narrow["recurrent"] < 4
    assert wide["ends"] / narrow["ends"] < 2
    _, window = hints["window-of-five"]
    read = [texts(**{**window, "window": n})["noun"] for n in range(1, 11)]
    assert read == ["no"] * 7 + ["yes"] * 3
    assert {settings.get("picture", "weights") for _, settings in hints.values()} == {
        "weights", "work", "memory", "window", "time",
    }  # fmt: skip


@pytest.mark.parametrize("picture", CostLab.settings()["picture"].objects)
@pytest.mark.parametrize("directions", ["1", "2"])
def test_the_sentence_fits_into_the_line_that_a_projector_keeps(picture, directions):
    """Of about 145 characters, as they were seen there."""
    lab = lab_with(
        cell="rnn", hidden_size=1024, vocabulary=100_000, layers=8, window=10, length=10_000, truncation=1000,
        directions=directions, picture=picture,
    )  # fmt: skip
    lab.times = {cell: (1.23e-4,) * len(WIDTHS) for cell in PARTS}
    assert len(lab.compute().sentence) <= 140
    assert CostLab.sentence_lines == 1


def test_each_picture_has_one_answer():
    """By hand: d = 128, d_h = 256, V = 10,000, T = 1,000, K = 50."""
    answers = {picture: lab_with(picture=picture).compute().sentence for picture in PICTURES}
    assert answers == {
        "weights": "This LSTM network learns 4,244,240 numbers, 394,240 of them in its recurrent layer.",
        "work": "From token 449 on, attention takes more work for a token than this LSTM layer; but 1,000 steps wait "
        "in a row, with attention 1.",
        "memory": "After 1,000 tokens attention holds 512,000 numbers; this LSTM layer holds 512, however many came "
        "before.",
        "learning": "To learn from 1,000 tokens, full BPTT keeps 11,664,512 numbers; truncated to 50 steps it keeps "
        "583,712.",
        "window": "A window of 5 words misses “lanterns”, on which the verb hangs; the state of a recurrence has read "
        "it, whatever n.",
        "time": "The cells are being timed on this server: the measured curve comes in a moment.",
    }


def test_answers_that_the_settings_turn():
    def answer(**settings):
        return lab_with(**settings).compute().sentence

    assert "numbers, all of them in its recurrent layers." in answer(vocabulary=0, layers=2)
    assert answer(picture="work", cell="rnn").startswith("From the start, attention takes more work")
    assert answer(picture="work", directions="2", layers=2).startswith("From length 513 on,")
    # L·T steps wait both ways, T + L − 1 one way, L with attention; of a single token there is nothing to tell.
    both_ways = answer(picture="work", directions="2", layers=2)
    assert both_ways.endswith("than this top LSTM layer; but 2,000 steps wait in a row, with attention 2.")
    assert "; but 1,001 steps wait in a row, with attention 2." in answer(picture="work", layers=2)
    for layers in (1, 8):
        assert answer(picture="work", length=1, layers=layers).endswith("LSTM layer in its place.")
    assert answer(picture="learning", length=1, truncation=1).endswith("truncation to 1 step cuts nothing.")
    assert "; truncated to 1 step it keeps" in answer(picture="learning", length=2, truncation=1)
    assert "read both ways, the text cannot be truncated." in answer(picture="learning", directions="2")
    assert "truncation to 50 steps cuts nothing." in answer(picture="learning", length=50)
    assert answer(picture="memory", length=1).startswith("After 1 token attention holds 512 numbers")
    assert "this top LSTM layer holds 512," in answer(picture="memory", layers=2)
    # Both ways: 2·512 numbers a token, and h and c of 256 units twice.
    assert answer(picture="memory", directions="2") == (
        "Of a text of 1,000 tokens attention holds 1,024,000 numbers; this LSTM layer holds 1,024, both ways together, "
        "however long it is."
    )
    assert answer(picture="window", window=8).startswith("A window of 8 words sees “lanterns”")
    assert answer(picture="window", window=1).startswith("A window of 1 word misses")


def test_the_clocks_answer_is_the_time_and_the_count_at_the_measured_width():
    lab = lab_with(picture="time", hidden_size=100, cell="gru")
    lab.times = {cell: tuple(gates * 1e-6 * width for width in WIDTHS) for cell, gates in PARTS.items()}
    # 3·(128² + 128²) at a nanosecond each.
    assert lab.compute().sentence == (
        "With as many inputs as units, d = d_h = 128, a step of the GRU takes 384 µs here; "
        "at 10⁹ multiply–adds a second, 98.3 µs."
    )


def test_what_the_text_says_of_embedding_and_softmax():
    assert "An embedding has *V·d* numbers at every *d_h*" in TEXT
    assert "set the vocabulary to 2,000. At which width" in TEXT
    assert "(At 501.) Then set it to 65" in TEXT
    # By hand: 4·(128·n + n² + n) against V·(128 + n + 1); at V = 2,000 they are equal at 500, both 1,258,000.
    for vocabulary, start in ((2000, 501), (65, 17)):
        before, after = (values(vocabulary=vocabulary, hidden_size=n) for n in (start - 1, start))
        assert before["recurrent"] <= before["ends"]
        assert after["recurrent"] > after["ends"]
    assert (before["recurrent"], before["ends"]) == (9_280, 9_425)
    assert "(396 and 432.)" in TEXT
    assert "(From 2.) Choose *lstm*: and now? (From 8, with which it sees the noun.)" in TEXT
    window = CostLab().preset("window-of-five").settings
    assert values(**window)["outgrown"] == 2
    assert values(**window | {"cell": "lstm"})["outgrown"] == 8
    assert texts(**window | {"window": 8})["noun"] == "yes"


def test_readouts_stand_in_groups_and_say_what_they_count():
    nouns = ("parameters", "of ", "multiply–adds", "numbers", "steps", "entries")
    groups, others = {}, []
    for r in CostLab().compute().readouts:
        groups.setdefault(r.group, []).append(r.key)
        others += [] if r.label.startswith(nouns) else [r.key]
    assert others == ["crossing", "noun", "outgrown", "measured", "each"]
    assert groups == {
        "Weights": ["total", "recurrent", "ends"],
        "Work": ["step", "work"],
        "Kept for learning": ["kept", "truncated"],
        "In sequence": ["in_a_row", "attention_in_a_row"],
        "Beside attention": ["layer_token", "attention_token", "crossing", "state", "cache"],
        "Fixed window": ["noun", "window_layer", "outgrown", "window_network", "table"],
        "By the clock": ["measured", "each"],
    }


def test_each_group_is_in_one_piece():
    headings = [r.group for r in CostLab().compute().readouts]
    assert len(list(itertools.groupby(headings))) == len(set(headings))


def test_every_size_has_its_letter():
    letters = {
        "hidden_size": "dₕ", "input_size": "d", "length": "T", "window": "n", "truncation": "K", "vocabulary": "V",
        "layers": "L",
    }  # fmt: skip
    labels = {name: CostLab.settings()[name].label for name in letters}
    assert {name: label.split()[-1] for name, label in labels.items()} == letters


def test_what_the_text_says_is_kept_of_a_cell():
    """By hand: i, f, g, o, c, h of 5 units at 11 steps, and r, z, n, h."""
    assert "of the cells, gates and states. (It reads *tanh c* of an LSTM and *r ⊙ h* of a GRU too" in TEXT
    assert "7 numbers of 6 for each unit and step, and 5 of 4" in TEXT
    for cell, each in (("lstm", 6), ("gru", 4)):
        line = lab_with(cell=cell, hidden_size=5, length=11, vocabulary=0).compute().arithmetic[3]
        assert f"+ {count(11 * each * 5)} in cells" in line


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(3.33e-5, "33.3 µs"), (9.994e-4, "999 µs"), (9.996e-4, "1.00 ms"), (2.097e-3, "2.10 ms")],
)
def test_a_time_has_three_digits(seconds, text):
    assert in_time(seconds) == text
