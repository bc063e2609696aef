"""The cost lab without a browser: counts by hand and by PyTorch's rule, its pictures and words, and that all agree."""

import itertools
import math
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from bokeh.models import ColumnDataSource, Line

from tests.widgets import lab_readings as readings
from widgets.base.numbers import count, percent
from widgets.cost import plots
from widgets.cost.declared import PICTURES
from widgets.cost.lab import CostLab
from widgets.cost.stopwatch import WIDTHS

TEXT = (Path(__file__).parents[2] / "assets/text/cost.md").read_text(encoding="utf-8")
PARTS = {"rnn": 1, "lstm": 4, "gru": 3}
SMALL = {
    "cell": "rnn", "input_size": 3, "hidden_size": 4, "vocabulary": 20, "directions": "2", "length": 10,
}  # fmt: skip


lab_with = partial(readings.lab_with, CostLab)
values = partial(readings.values_with, CostLab)
texts = partial(readings.texts_with, CostLab)


def columns(source, **settings) -> dict[str, np.ndarray]:
    """A source's numbers, out of the logarithms that are drawn."""
    drawn = lab_with(**settings).compute().columns[source]
    return {name: 10 ** np.asarray(column, dtype=float) for name, column in drawn.items() if name != "role"}


def test_settings_are_those_of_the_design():
    settings = CostLab.settings()
    named = [
        "cell",
        "layers",
        "input_size",
        "hidden_size",
        "vocabulary",
        "length",
        "biases",
        "directions",
        "tied",
    ]
    assert set(settings) == {*named, "truncation", "window", "picture"}
    assert settings["biases"].objects == ["one", "two"]
    assert settings["directions"].objects == ["1", "2"]
    assert settings["window"].default == 5


def test_the_bare_lab_is_the_first_preset():
    assert CostLab().present_preset() is CostLab.presets[0]


@pytest.mark.parametrize(
    ("cell", "d", "units", "one", "two"),
    [
        ("lstm", 1, 9, 396, 432),
        ("gru", 16, 32, 4704, 4800),
        ("lstm", 65, 128, 99328, 99840),
        ("rnn", 65, 128, 24832, 24960),
    ],
)
def test_one_layer_has_as_many_parameters_as_pytorch_gives_it(cell, d, units, one, two):
    sizes = {"cell": cell, "input_size": d, "hidden_size": units, "vocabulary": 0}
    assert values(**sizes)["total"] == values(**sizes)["recurrent"] == one
    assert values(**sizes, biases="two")["total"] == two
    assert values(**sizes, biases="two", directions="2")["total"] == 2 * two
    assert texts(**sizes)["total"] == f"{one:,}"


def test_a_small_network_worked_by_hand():
    """d = 3, d_h = 4, V = 20, both ways, T = 10.

    Parameters: embedding 60, layers 2·(12 + 16 + 4), softmax 8·20 + 20. A step: 2·(12 + 16) + 8·20 = 216, three times
    that with the way back. Kept: 10·(3 + 8 + 20), and 8 to start from.
    """
    shown = values(**SMALL)
    assert (shown["total"], shown["recurrent"], shown["ends"]) == (304, 64, 240)
    assert (shown["step"], shown["work"]) == (216, 10 * 3 * 216)
    assert (shown["kept"], shown["in_a_row"], shown["attention_in_a_row"]) == (318, 10, 1)
    assert texts(**SMALL)["truncated"] == "not cut"


def test_what_is_kept_truncated_worked_by_hand():
    """Two LSTM layers of 4 units, d = 3, V = 6: a step keeps 3 + 2·6·4 + 6 = 57, the start is 2·2·4."""
    small = {"input_size": 3, "hidden_size": 4, "layers": 2, "vocabulary": 6}
    shown = values(**small, length=1000, truncation=20)
    assert (shown["kept"], shown["truncated"]) == (57 * 1000 + 16, 57 * 20 + 16)
    assert shown["in_a_row"] == 1001
    assert values(**small, length=10, truncation=20)["truncated"] == 57 * 10 + 16


def test_curves_by_width_are_the_formula():
    drawn = columns("widths", biases="two")
    n = np.round(drawn["d_h"])
    for cell, gates in PARTS.items():
        np.testing.assert_allclose(drawn[cell], gates * (128 * n + n * n + 2 * n), rtol=1e-12)
    np.testing.assert_allclose(drawn["ends"], 10_000 * (128 + n + 1), rtol=1e-12)
    np.testing.assert_allclose(drawn["total"], drawn["ends"] + drawn["lstm"], rtol=1e-12)
    assert (n[0], n[-1]) == (1, 1024)


def test_truncated_memory_is_level_from_k_on():
    kept = columns("kept", truncation=100)
    T = np.round(kept["T"])
    np.testing.assert_allclose(kept["full"][T <= 100], kept["truncated"][T <= 100], rtol=1e-12)
    assert np.ptp(kept["truncated"][T >= 100]) == 0
    assert kept["full"][-1] > 99 * kept["truncated"][-1]
    # By hand, d = 128, d_h = 256, V = 10,000: 128·V + 4·(128·256 + 256² + 256) + 256·V + V.
    np.testing.assert_allclose(kept["weights"], 4_244_240, rtol=1e-12)


def test_marks_lie_on_the_curves_at_the_settings():
    frame = lab_with(hidden_size=100, length=400, window=7).compute()
    here, crossings = frame.columns["here"], frame.columns["crossings"]
    shown = {r.key: r.value for r in frame.readouts}
    assert 10 ** here["d_h"] == pytest.approx([100] * 3)
    assert 10 ** here["count"] == pytest.approx([shown["total"], shown["ends"], shown["recurrent"]])
    assert here["role"] == ["reference", "input", "lstm"]
    assert dict(zip(crossings["role"], 10 ** crossings["t"], strict=True)) == pytest.approx(
        {"tanh": 1, "gru": 101, "lstm": (128 + 300) / 2 + 1}
    )
    assert 10 ** crossings["count"] == pytest.approx([22_800, 91_200, 68_400])
    assert 10 ** frame.columns["length"]["t"][0] == pytest.approx(400)
    window = frame.columns["window"]
    assert (window["n"].tolist(), window["network"].tolist()) == ([7], [7 * 128 * 100 + 100])


def test_window_networks_layers_by_hand():
    """d = 60, d_h = 50, both sides of the crossing: 60·n·50 + 50 against 60·50 + 50² + 50 = 5,550 of a tanh RNN."""
    sizes = {"cell": "rnn", "input_size": 60, "hidden_size": 50}
    drawn = lab_with(**sizes, vocabulary=0).compute().columns["layers"]
    assert drawn["network"].tolist() == [3000 * n + 50 for n in range(1, 11)]
    assert drawn["recurrent"].tolist() == [5550] * 10
    shown = values(**sizes, window=7)
    assert (shown["window_layer"], shown["outgrown"]) == (21_050, 2)
    # An LSTM's layers have four times as many; twice as many read both ways, and a second layer reads 100 numbers.
    assert values(**sizes | {"cell": "lstm"})["outgrown"] == 8
    deep = {"cell": "rnn", "directions": "2", "layers": 2}
    assert values(**sizes | deep)["outgrown"] == (11_100 + 2 * (5000 + 2500 + 50) - 50) // 3000 + 1


def test_windows_by_hand():
    """V = 10, m = 3, h = 4: a table of 10^(n+1); 10·3 + (3·n·4 + 4) + (40 + 10); and ours, whatever n.

    The LSTM: 30 + 4·(12 + 16 + 4) + 50.
    """
    drawn = columns("windows", vocabulary=10, input_size=3, hidden_size=4)
    n = np.arange(1, 11)
    np.testing.assert_allclose(drawn["table"], 10.0 ** (n + 1), rtol=1e-12)
    np.testing.assert_allclose(drawn["network"], 84 + 12 * n, rtol=1e-12)
    np.testing.assert_allclose(drawn["recurrent"], 208, rtol=1e-12)
    assert texts(vocabulary=10, window=3)["table"] == "10,000"


def test_without_a_vocabulary_the_layers_stand_alone():
    frame = lab_with(vocabulary=0, tied=True).compute()
    assert np.isneginf(frame.columns["widths"]["ends"]).all()
    assert np.isneginf(frame.columns["windows"]["table"]).all()
    assert len(frame.columns["here"]["role"]) == 2
    np.testing.assert_array_equal(frame.columns["widths"]["total"], frame.columns["widths"]["lstm"])
    assert any("coincides" in note for note in frame.notes)
    assert "Nothing is there to be tied." in frame.notes


def test_read_both_ways_nothing_is_cut():
    frame = lab_with(directions="2").compute()
    assert np.isneginf(frame.columns["kept"]["truncated"]).all()
    assert any("cannot be truncated" in note for note in frame.notes)
    assert any("nothing is cut" in note for note in lab_with(length=40, truncation=40).compute().notes)
    assert not any("cut" in note for note in lab_with(length=41, truncation=40).compute().notes)


def test_tying_may_save_or_not_and_says_which():
    """V·d_h weights less, and a projection of d_h·d more where the widths differ."""
    small = {"tied": True, "input_size": 32, "hidden_size": 8}
    assert "Tying saves 544 parameters." in lab_with(**small, vocabulary=100).compute().notes
    lost = lab_with(**small, vocabulary=20).compute().notes
    assert any(note.startswith("Tied, it has 96 parameters more") for note in lost)
    assert "with vocabulary 20, input size 32 and hidden size 8" in TEXT
    # Both ways the softmax reads 16 numbers: 16·100 weights less, and a projection of 16·32.
    assert (
        "Tying saves 1,088 parameters." in lab_with(**small, vocabulary=100, directions="2").compute().notes
    )


def test_a_tied_networks_projection_is_gone_at_one_width_alone():
    drawn = columns("widths", tied=True, input_size=100, vocabulary=1000)
    n = np.round(drawn["d_h"]).tolist()
    ends = dict(zip(n, drawn["ends"], strict=True))
    assert ends[100] == pytest.approx(101_000)
    assert ends[99] == pytest.approx(101_000 + 99 * 100)
    assert ends[101] == pytest.approx(101_000 + 101 * 100)


def test_part_by_part_adds_up():
    table = lab_with(layers=2, tied=True, directions="2", length=7).comparison()()
    rows = {row[0]: [float(row[i].replace(",", "")) for i in (1, 3, 4, 5)] for row in table.rows}
    assert list(rows) == ["embedding", "layer 1", "layer 2", "projection and softmax", "whole network"]
    whole = np.array(rows.pop("whole network"))
    np.testing.assert_array_equal(np.sum(list(rows.values()), axis=0), whole)
    # By hand, d = 128, d_h = 256: 2·4·(128·256 + 256² + 256) and 2·4·(512·256 + 256² + 256).
    assert (rows["layer 1"][0], rows["layer 2"][0]) == (788_480, 1_574_912)
    assert rows["projection and softmax"][:2] == [512 * 128 + 10_000, 512 * 128 + 128 * 10_000]
    shares = {row[0]: (row[2], row[6]) for row in table.rows}
    assert shares["embedding"] == (percent(1_280_000 / whole[0]), "0 %")
    assert shares["layer 1"] == (percent(788_480 / whole[0]), percent(786_432 / whole[1]))
    for _, forward, backward, sequence in rows.values():
        assert (backward, sequence) == (2 * forward, 7 * 3 * forward)


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


def test_the_data_table_holds_what_is_drawn():
    frame = lab_with(vocabulary=0).compute()
    rows = [row for row in frame.table.rows if row[:2] == ("Parameters", "LSTM")]
    drawn = frame.columns["widths"]
    np.testing.assert_allclose([math.log10(at) for *_, at, _ in rows], drawn["d_h"], rtol=1e-12)
    np.testing.assert_allclose([math.log10(n) for *_, n in rows], drawn["lstm"], rtol=1e-12)
    assert not any(row[1] == "embedding and softmax" for row in frame.table.rows)


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


def test_what_is_not_measured_yet_is_said_to_be_to_come():
    frame = CostLab().compute()
    assert np.isnan(frame.columns["times"]["lstm"]).all()
    assert {r.key: r.text for r in frame.readouts}["measured"] == "to come"
    assert any("being timed" in note for note in frame.notes)


@pytest.mark.parametrize(("width", "nearest"), [(22, 16), (23, 32), (90, 64), (91, 128)])
def test_the_nearest_measured_width_is_the_nearest_by_ratio(width, nearest):
    """Between 16 and 32 their ratios meet at 16·√2 = 22.6, between 64 and 128 at 90.5."""
    shown = next(r for r in lab_with(hidden_size=width).compute().readouts if r.key == "measured")
    assert shown.label == f"LSTM step, d_h\u00a0=\u00a0{nearest}"


def test_what_is_measured_is_drawn_and_said_at_the_nearest_width():
    lab = lab_with(hidden_size=100, cell="gru")
    lab.times = {cell: tuple(gates * 1e-6 * width for width in WIDTHS) for cell, gates in PARTS.items()}
    frame = lab.compute()
    shown = next(r for r in frame.readouts if r.key == "measured")
    assert (shown.label, shown.text) == ("GRU step, d_h\u00a0=\u00a0128", "384 µs")
    # 3·(128² + 128²) multiply–adds in 384 µs.
    assert next(r for r in frame.readouts if r.key == "each").value == pytest.approx(384e-6 / 98_304)
    np.testing.assert_allclose(10 ** frame.columns["times"]["gru"], 3e-6 * np.array(WIDTHS), rtol=1e-12)
    assert not any("timed" in note for note in frame.notes)
    rows = [row for row in frame.table.rows if row[0] == "By the clock"]
    assert ("By the clock", "LSTM, seconds a step", "d_h", 256, pytest.approx(4e-6 * 256)) in rows
    assert len(rows) == len(PARTS) * len(WIDTHS)


def test_the_counted_line_is_of_a_billion_multiply_adds_a_second():
    drawn = columns("times")
    np.testing.assert_allclose(drawn["lstm_count"], 8e-9 * np.array(WIDTHS) ** 2.0, rtol=1e-12)
    clock = figures()["By the clock"]
    assert "Counted are 10⁹ multiply–adds a second." in clock.description
    dashes = {key.dash for key in clock.legend if key.label.endswith("counted")}
    assert dashes == {"dotted", "solid", "dotdash"}


def test_a_measurement_that_failed_is_said_to_have():
    lab = CostLab()
    lab.unmeasured = True
    frame = lab.compute()
    assert {r.key: r.text for r in frame.readouts}["measured"] == "failed"
    assert any("could not be timed" in note for note in frame.notes)


@pytest.mark.parametrize(
    ("moved", "stays"),
    [
        ({"hidden_size": 77}, {"widths", "times", "words", "view"}),
        ({"length": 77}, {"widths", "work", "past", "kept", "layers", "windows", "times", "words"}),
        ({"window": 7}, {"widths", "work", "past", "kept", "layers", "windows", "times"}),
        ({"truncation": 7}, {"widths", "work", "past", "layers", "windows", "times"}),
    ],
)
def test_what_a_setting_does_not_move_is_the_same_as_before(moved, stays):
    """The same object, which the page need not compare number by number."""
    before, after = CostLab().compute().columns, lab_with(**moved).compute().columns
    for name in stays - {"words", "view"}:
        assert after[name] is before[name], name
    for name in stays & {"words", "view"}:
        for column, held in before[name].items():
            np.testing.assert_array_equal(after[name][column], held)


def figures() -> dict:
    found = CostLab().compute().columns
    sources = {name: ColumnDataSource(dict(held), name=name) for name, held in found.items()}
    return {plot.title: plot for plot in plots.plots(sources, (2, 9))}


def test_no_two_curves_of_a_figure_look_alike():
    for plot in [plot for plot in figures().values() if plot.axis]:
        looks = [
            (next(t for t in r.tags if t.startswith("role:")), r.glyph.line_width, str(r.glyph.line_dash))
            for r in plot.figure.renderers
            if isinstance(r.glyph, Line)
        ]
        assert len(set(looks)) == len(looks) == len(plot.axis.watched)


def test_what_is_looked_at_stands_beside_the_controls():
    lab, drawn = CostLab(), figures()
    staged = {}
    for picture in CostLab.settings()["picture"].objects:
        lab.adopt(picture=picture)
        staged[picture] = [title for title, plot in drawn.items() if lab.stages(plot)]
    assert staged == {
        "weights": ["Parameters"],
        "work": ["Work of a token"],
        "memory": ["Memory of the past"],
        "learning": ["Kept for learning"],
        "window": ["The sentence under the window", "A window network"],
        "time": ["By the clock"],
    }


def test_the_presets_show_all_of_the_window_networks_line():
    drawn = figures()["A window network"]
    for preset in CostLab.presets:
        drawn.axis.go_home(preset)
        layers = lab_with(**preset.settings).compute().columns["layers"]
        low, high = drawn.figure.y_range.start, drawn.figure.y_range.end
        highest = max(layers["network"].max(), layers["recurrent"].max())
        assert low == 0
        assert 0.5 * high < highest <= high, preset.name


def test_the_table_is_left_out_where_there_is_nothing_in_it():
    plot = figures()["A table of words"]
    assert plot.optional
    assert all(key.column for key in plot.legend)


@pytest.mark.parametrize("cell", list(PARTS))
@pytest.mark.parametrize("directions", ["1", "2"])
@pytest.mark.parametrize("end", [0, 1])
def test_extremes_compute_without_a_warning(cell, directions, end):
    numbers = {name: s.bounds[end] for name, s in CostLab.settings().items() if hasattr(s, "bounds")}
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        for tied in (False, True):
            frame = lab_with(cell=cell, directions=directions, tied=tied, **numbers).compute()
    assert all(np.isfinite(r.value) for r in frame.readouts if r.key not in ("measured", "each"))


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
        "work": "From token 449 on, attention takes more work for a token than this LSTM layer in its place.",
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
    assert "than this top LSTM layer in its place" in answer(picture="work", layers=2)
    assert "read both ways, the text cannot be truncated." in answer(picture="learning", directions="2")
    assert "truncation to 50 steps cuts nothing." in answer(picture="learning", length=50)
    assert answer(picture="memory", length=1).startswith("After 1 token attention holds 512 numbers")
    assert answer(picture="window", window=8).startswith("A window of 8 words sees “lanterns”")
    assert answer(picture="window", window=1).startswith("A window of 1 word misses")


def test_the_clocks_answer_is_the_time_and_the_count_at_the_measured_width():
    lab = lab_with(picture="time", hidden_size=100, cell="gru")
    lab.times = {cell: tuple(gates * 1e-6 * width for width in WIDTHS) for cell, gates in PARTS.items()}
    # 3·(128² + 128²) at a nanosecond each.
    assert lab.compute().sentence == (
        "A step of the GRU with d = d_h = 128 takes 384 µs here; "
        "at 10⁹ multiply–adds a second it would take 98.3 µs."
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
