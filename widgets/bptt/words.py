"""What the BPTT lab says: one sentence, readouts, notes, the equation with today's numbers, the data table."""

import numpy as np

from core.bptt import stored_activations, summed_by_lag
from widgets.base.formula import literal
from widgets.base.frame import Readout, Table, readout
from widgets.base.numbers import equals, number, operand, percent
from widgets.base.typed import isolated, without_turns
from widgets.bptt.reading import CELL_NAMES, Reading, blank_gaps

LONGEST_WORD = 12
"""Characters of a word that are shown beside the picture."""
_NEAR = 3
"""So many lags count as near, where more than as many hold a term: 0, 1 and 2."""
SHOWN = {
    "terms": "size of a term",
    "h": "size of the error at h",
    "c": "size of the error at c",
    "x": "size of the error at x",
}
"""What a colour of the heat map stands for."""
NO_TEXT = "There is nothing to guess yet: type at least two words."


def shortened(word: str) -> str:
    """A word as it stands in the page's own text."""
    plain = without_turns(word)
    return isolated(plain if len(plain) <= LONGEST_WORD else f"{plain[: LONGEST_WORD - 1]}…")


def _quoted(word: str) -> str:
    return f"“{literal(shortened(word))}”"


def sentence(reading: Reading, heat_map: str) -> str:
    """What today's settings come to."""
    items, t = reading.items, reading.loss_step
    if reading.table(heat_map) is None:
        return f"A {CELL_NAMES[reading.cell]} has no cell state c, so the heat map is empty: choose lstm, or show h."
    if reading.steps == 1:
        return "One guess, made from h_0 = 0, teaches W_hh nothing: its gradient is 0. Type a third word."
    if not items.contributions.any():
        return "There is nothing to guess: the gradient of W_hh is 0. Type another word than the first."
    if reading.cut:
        start = (t - 1) // reading.truncation * reading.truncation + 1
        at = "its own step" if start == t else f"step {start} ({_quoted(reading.words[start - 1])})"
        return (
            f"Random {CELL_NAMES[reading.cell]}, cut to K = {reading.truncation}: cosine "
            f"{number(items.cosine[reading.truncation - 1])} with the full gradient; "
            f"the error of {_loss(reading)} stops at {at}."
        )
    said = f"Random {CELL_NAMES[reading.cell]}: {_contributions(reading)}"
    if heat_map != "terms":
        return f"{said}; {_error_left(reading, heat_map)}."
    return f"{said}; {_oldest_term(reading)}." if reading.steps > 2 else f"{said}."


def _contributions(reading: Reading) -> str:
    """Where the gradient comes from."""
    if reading.steps == 2:
        return f"the gradient is one term, of {_loss(reading, 2)} at step 2: those of step 1 hold h_0 = 0"
    make = "makes" if _near(reading) == 1 else "make"
    return f"{_span(reading)} {make} up {percent(_near_share(reading))} of all contributions"


def _oldest_term(reading: Reading) -> str:
    """What the followed row of terms comes to: its first one that is not 0 by itself, against its last one."""
    t, row = reading.loss_step, reading.walk(reading.items.contributions)
    if t == 1:
        return f"{_loss(reading)} has no step behind it"
    if t == 2:
        return f"{_loss(reading)} has a single term, that of its own step"
    left = row[1] / row[-1] if row[-1] else 0.0
    compared = f"{percent(left)} of" if left < 1 else f"{number(left)} times"
    return f"for {_loss(reading)} the term of step 2 ({_quoted(reading.words[1])}) is {compared} the newest"


def _error_left(reading: Reading, where: str) -> str:
    """What of the followed loss's error has come back to step 1, at what the heat map shows."""
    if reading.loss_step == 1:
        return f"{_loss(reading)} has no step behind it"
    walk = reading.walk(reading.table(where))
    left, first = walk[0] / walk[-1] if walk[-1] else 0.0, f"step 1 ({_quoted(reading.words[0])})"
    if left < 1:
        return f"of the error at {where} of {_loss(reading)}, {percent(left)} is left at {first}"
    return f"the error at {where} of {_loss(reading)} is {number(left)} times as large at {first}"


def readouts(reading: Reading) -> list[Readout]:
    """The numbers of the chosen loss and truncation; what is undefined, as beside a gradient of 0, is left out."""
    items, t, K = reading.items, reading.loss_step, reading.truncation
    full = stored_activations(reading.cell, reading.steps, reading.network.hidden_size)
    truncated = stored_activations(reading.cell, reading.steps, reading.network.hidden_size, K)
    errors = reading.walk(items.h_errors)
    share = _near_share(reading)
    uncut = ", full" if reading.cut else ""
    shown = [
        readout("loss", f"loss ℓ_{t}, {_quoted(reading.words[t])}", items.losses[t - 1]),
        readout("error", f"‖∂ℓ_{t}/∂h_{t}‖", errors[-1]),
        *([readout("first_error", f"‖∂ℓ_{t}/∂h_1‖{uncut}", errors[0])] if t > 1 else []),
        *(
            [Readout("near", f"share of {_span(reading)}{uncut}", percent(share), share)]
            if reading.steps > 2
            else []
        ),
        readout("cosine", f"cosine to the full gradient, {equals('K', K)}", items.cosine[K - 1]),
        readout("relative_error", f"relative error to it, {equals('K', K)}", items.relative_error[K - 1]),
        Readout(
            "stored", "stored numbers (bytes), full BPTT", f"{full.numbers} ({full.bytes})", full.numbers
        ),
        Readout(
            "stored_truncated",
            f"stored numbers (bytes), {equals('K', K)}",
            f"{truncated.numbers} ({truncated.bytes})",
            truncated.numbers,
        ),
    ]
    if reading.cell == "lstm":
        shown += [
            readout("cell_error", f"‖∂ℓ_{t}/∂c_1‖{uncut}", reading.walk(items.c_errors)[0]),
            readout("straight", f"straight along c{uncut}", reading.walk(items.straight)[0]),
            readout("rest", f"the rest{uncut}", reading.walk(items.rest)[0]),
        ]
    return [shown_one for shown_one in shown if not np.isnan(shown_one.value)]


def arithmetic(reading: Reading) -> list[str]:
    """The walk as own error times mean factor, and what backpropagation stores."""
    t, K = reading.loss_step, reading.truncation
    errors = reading.walk(reading.items.h_errors)
    lines = [f"‖∂ℓ_{t}/∂h_{t}‖ = {operand(errors[-1])}"]
    if t > 1 and errors[0] > 0:
        mean = (errors[0] / errors[-1]) ** (1 / (t - 1))
        lines = [
            f"‖∂ℓ_{t}/∂h_1‖ = ‖∂ℓ_{t}/∂h_{t}‖·q^{t - 1} = {operand(errors[-1])}·{operand(mean)}^{t - 1} = "
            f"{number(errors[0])} (q: mean factor{'; not truncated' if reading.cut else ''})"
        ]
    size, steps = reading.network.hidden_size, reading.steps
    full, truncated = (stored_activations(reading.cell, steps, size, k) for k in (steps, K))
    each = full.numbers // (steps * size)
    kept = f"{each}·" if each > 1 else ""
    return [
        *lines,
        f"stored in full: {kept}T·d_h = {kept}{steps}·{size} = {full.numbers} numbers, {full.bytes} bytes",
        f"stored for K: {kept}K·d_h = {kept}{K}·{size} = {truncated.numbers} numbers, {truncated.bytes} bytes",
    ]


def notes(reading: Reading, heat_map: str) -> list[str]:
    said = ["The network is random, as it was drawn: nothing has been trained."]
    if heat_map == "terms":
        said.append("The terms of step 1 are 0: they are made with h_0, which is 0.")
    if reading.steps > 1:
        said.append(f"By lag: lag {reading.steps - 1} is not drawn. Its only term is of step 1, and 0.")
    if reading.cut:
        every = "step" if reading.truncation == 1 else f"{reading.truncation} steps"
        said.append(
            f"Cut at every {every}: a term is kept if its step and its loss lie in the same chunk, "
            "and blank if not. The curves, and the numbers called full, are of the error that is not cut."
        )
    table = reading.table(heat_map)
    if table is not None and not np.isfinite(table).all():
        said.append("Somewhere an error is not finite.")
    return said


def data_table(reading: Reading) -> Table:
    """A row for each n from 1 to T: step n of the chosen loss, lag n − 1, and truncation to K = n."""
    items, t, steps = reading.items, reading.loss_step, reading.steps
    walks = {
        f"contribution of ℓ_{t} through n": reading.walk(items.contributions),
        f"‖∂ℓ_{t}/∂h_n‖": reading.walk(items.h_errors),
        "factor": np.append(reading.factors(), np.nan),
        f"‖∂ℓ_{t}/∂x_n‖": reading.walk(items.x_errors),
    }
    if reading.cell == "lstm":
        walks[f"‖∂ℓ_{t}/∂c_n‖"] = reading.walk(items.c_errors)
        walks["straight along c"] = reading.walk(items.straight)
        walks["the rest"] = reading.walk(items.rest)
    return Table(
        "For each n: step n, lag n − 1, truncation to n steps",
        [
            "n", "word read", "word to guess", "loss ℓ_n", *walks,
            "sum at lag n−1", "of it kept", "cosine, K = n", "relative error, K = n",
        ],
        [
            list(range(1, steps + 1)), list(reading.words[:-1]), list(reading.words[1:]), items.losses,
            *(blank_gaps(np.append(walk, np.full(steps - t, np.nan))) for walk in walks.values()),
            items.contributions_by_lag, summed_by_lag(items.contributions * reading.kept),
            blank_gaps(items.cosine), blank_gaps(items.relative_error),
        ],
    )  # fmt: skip


def _near(reading: Reading) -> int:
    """How many lags count as near: not all that hold a term, since their share would say nothing.

    The largest lag holds none, its only one being that of step 1.
    """
    return max(1, min(_NEAR, reading.steps - 2))


def _span(reading: Reading) -> str:
    last = _near(reading) - 1
    return f"lags 0 to {last}" if last else "lag 0"


def _near_share(reading: Reading) -> float:
    sums = reading.items.contributions_by_lag
    total = sums.sum()
    return float(sums[: _near(reading)].sum() / total) if total > 0 else float("nan")


def _loss(reading: Reading, t: int | None = None) -> str:
    """A loss, if it is not said which then the followed one, with its word."""
    t = t or reading.loss_step
    return f"loss {t} ({_quoted(reading.words[t])})"
