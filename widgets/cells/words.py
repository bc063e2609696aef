"""What the cells lab says: one sentence, readouts, notes, and the table of every term."""

from collections.abc import Mapping, Sequence

from core.cat_sat import WORDS, WorkedExample
from widgets.base.frame import Readout, readout
from widgets.base.numbers import moved, number
from widgets.cells.reading import CELL_NAMES, SECOND, Reading, before
from widgets.cells.sequences import Row
from widgets.cells.table import vector

_OURS = "The example tells of an LSTM: all numbers of this cell are ours."
_SECOND = "All weights are ours; those of the second layer are drawn at random."
_LSTM_STAYS = "In the figure “Word by word” the LSTM stays as its gates were set: choose lstm to move them."


def single_sentence(reading: Reading, rnn: WorkedExample) -> str:
    k = reading.unit
    return _SENTENCES[reading.cell](reading, k, f"At “{reading.word}”", rnn)


def _of_lstm(reading: Reading, k: int, at: str, rnn: WorkedExample) -> str:
    step, old = reading.step, float(reading.old_memory[k])
    kept = f"keeps {number(step.f.value[k])} of its {number(old)}" if reading.at else "has nothing to keep"
    return (
        f"{at} the LSTM’s unit {k + 1} {kept} and adds {number(step.written[k])}: c = {number(step.c[k])}. "
        f"The tanh RNN writes its state over: {_rewritten(rnn, reading.at, k)}."
    )


def _of_rnn(reading: Reading, k: int, at: str, rnn: WorkedExample) -> str:
    return (
        f"{at} the tanh RNN writes unit {k + 1} over, {_rewritten(rnn, reading.at, k)}: no share of the old state is "
        "kept as it is."
    )


def _of_gru(reading: Reading, k: int, at: str, rnn: WorkedExample) -> str:
    step, difference = reading.step, float(reading.forms.difference[k])
    form, other = ("after", "before") if reading.reset_after else ("before", "after")
    written = _told_apart(reading)
    there = written[other]
    if written[form] == written[other]:
        there = "nearly the same" if difference else "the same"
    return (
        f"{at} the GRU’s unit {k + 1} keeps z = {number(step.z.value[k])} of its state: h = {written[form]}, "
        f"reset {form} the product; {other} it, {there}."
    )


def _told_apart(reading: Reading) -> dict[str, str]:
    """A GRU's new state in both forms, each with the digits that tell it from the other."""
    before, after = (float(form.h[reading.unit]) for form in (reading.forms.before, reading.forms.after))
    return {"before": moved(after, before), "after": moved(before, after)}


_SENTENCES = {"lstm": _of_lstm, "rnn": _of_rnn, "gru": _of_gru}


def _rewritten(rnn: WorkedExample, at: int, k: int) -> str:
    hidden = rnn.layer.hidden
    return f"{number(float(before(hidden, at)[k]))} → {number(float(hidden[at][k]))}"


def stacked_sentence(reading: Reading, rows: Sequence[Row]) -> str:
    lower, upper = (vector(row.layer.hidden[reading.at]) for row in rows)
    return f"At “{reading.word}” layer 2 reads what layer 1 has just made of it, {lower}, and makes {upper}."


def both_sentence(reading: Reading, rows: Sequence[Row]) -> str:
    t = reading.at
    known = [_listed(WORDS[: t + 1]), _listed(WORDS[t:])]
    return (
        f"At “{reading.word}” one layer has read {known[0]}, the other, from the end, {known[1]}: "
        "side by side they know the whole sentence."
    )


def _listed(words: Sequence[str]) -> str:
    return " ".join(f"“{word}”" for word in words)


def single_readouts(reading: Reading, others: Sequence[tuple[str, WorkedExample]]) -> list[Readout]:
    """The states of the step; of the LSTM its cell after each word; of the GRU both forms."""
    k, step = reading.unit, reading.step
    unit = f"unit\u00a0{k + 1}"
    found = []
    if reading.cell == "lstm":
        found = [
            readout("c", f"c′, new cell, {unit}", step.c[k]),
            readout("kept", "f·c, kept", step.kept[k]),
            readout("written", "i·g, written", step.written[k]),
        ]
        found += [
            readout(f"c_{t + 1}", f"c after “{word}”, {unit}", reading.layer.memory[t, k])
            for t, word in enumerate(WORDS)
        ]
    if reading.cell == "gru":
        forms, written = reading.forms, _told_apart(reading)
        found = [
            Readout("before", f"h′, reset before, {unit}", written["before"], float(forms.before.h[k])),
            Readout("after", f"h′, reset after, {unit}", written["after"], float(forms.after.h[k])),
            readout("difference", f"after less before, {unit}", forms.difference[k]),
            readout("difference_other", f"the same, unit\u00a0{2 - k}", forms.difference[1 - k]),
        ]
    found.append(readout("h", f"h′, {CELL_NAMES[reading.cell]}, {unit}", step.h[k]))
    return found + [
        readout(f"h_{cell}", f"h, {CELL_NAMES[cell]}, {unit}", example.layer.hidden[reading.at, k])
        for cell, example in others
        if cell != reading.cell
    ]


def sequence_readouts(reading: Reading, rows: Sequence[Row]) -> list[Readout]:
    return [
        readout(f"{row.key}_{unit + 1}", f"{row.name}, unit\u00a0{unit + 1}: {row.label}′", float(state))
        for row in rows
        for unit, state in enumerate(row.layer.hidden[reading.at])
    ]


def single_notes(reading: Reading) -> list[str]:
    return _NOTES[reading.cell](reading)


def gru_stays(cell: str, biases: Mapping[str, float]) -> list[str]:
    """What is to be said of a GRU that was set and is not in view."""
    moved = [f"{name} {number(value)}" for name, value in biases.items() if value]
    if cell == "gru" or not moved:
        return []
    return [
        f"In the figure “Word by word” the GRU stays as it was set, with {' and '.join(moved)}: choose gru to move it."
    ]


def _lstm_notes(reading: Reading) -> list[str]:
    found = ["What is marked ° is not the example’s own, but our choice, or set here. All weights are ours."]
    if reading.unit != SECOND:
        found.append(
            "The sliders set the gates of unit 2, of which the example tells; unit 1 is ours, and stays."
        )
    if not reading.at:
        found.append("Before the first word both states are 0: there is nothing to keep.")
    return found


def _rnn_notes(reading: Reading) -> list[str]:
    return [_OURS, "A tanh RNN has no gates.", _LSTM_STAYS]


def _gru_notes(reading: Reading) -> list[str]:
    found = [_OURS, "Both forms start here from the same old state, that of the form which is set."]
    if not reading.at:
        found.append("At the first word there is no old state to reset: the forms agree.")
    return [
        *found,
        _LSTM_STAYS,
        "One unit alone, without a recurrent bias, cannot tell the forms apart: r·(h·u) and (r·h)·u are the same.",
    ]


def sequence_notes(reading: Reading) -> list[str]:
    return [_SECOND] if reading.cell == "lstm" else [_SECOND, _LSTM_STAYS]


_NOTES = {"lstm": _lstm_notes, "rnn": _rnn_notes, "gru": _gru_notes}
