"""Lab: a hand-wired LSTM cell counts brackets through any text, beside a tanh unit that cannot."""

from dataclasses import replace

import numpy as np
import param

from core.brackets import BracketCounter, BracketRun
from widgets.base.frame import Frame, Preset, Table, log_readout, readout
from widgets.base.numbers import factor, number, operand, result
from widgets.base.settings import Text
from widgets.base.typed import isolated
from widgets.brackets import plots
from widgets.lab import Lab

LONG_GAP = "(((a count must live on while letters go by?"
_WINDOW = (-14.0, 1.0)
"""Room for 2⁻⁴⁴, the forget product of the long gap at forget bias 0."""
_GONE = 0.5
"""A count that rounds to none."""
_SQUASHED = 1.5
"""From here on tanh(c) is above 0.9, and counts begin to look alike."""
_LISTED = 6
"""Questions that are written out one by one."""
_BRACKETS = "()"


def _text_preset(name: str, title: str, look_for: str, text: str, **settings) -> Preset:
    """A preset whose cursor stands at the end of its text."""
    return Preset(name, title, look_for, {"text": text, "cursor": len(text), **settings}, _WINDOW)


class BracketLab(Lab):
    slug = "brackets"
    title = "Brackets"
    question = "How does a cell count across a long gap?"
    player = "cursor"
    pointers = frozenset({"cursor"})

    text = Text(
        default=LONG_GAP, limit=200, label="Text to read",
        doc="The cell counts ( and ). At each ? it is asked for its count. All other characters only pass the time.",
    )  # fmt: skip
    forget_bias = param.Number(
        7.0, bounds=(-2, 10), step=0.1, label="Forget bias b",
        doc="The forget gate is f = σ(b) at every character: the share of the cell that is kept.",
    )  # fmt: skip
    forget_gate = param.Boolean(
        True, label="Forget gate",
        doc="Off is the LSTM of 1997: f = 1 whatever the forget bias, the constant error carousel.",
    )  # fmt: skip
    rnn_weight = param.Number(
        1.0, bounds=(0, 2), step=0.01, label="Rival’s weight w",
        doc="The rival is one tanh unit, h = tanh(w·h + x), with x = 1 at (, −1 at ) and 0 elsewhere.",
    )  # fmt: skip
    cursor = param.Integer(
        len(LONG_GAP), bounds=(1, len(LONG_GAP)), step=1, label="Cursor",
        doc="The character whose step is worked out in numbers.",
    )  # fmt: skip

    presets = (
        _text_preset(
            "long-gap", "Long gap",
            "Three brackets, forty characters of something else, and the count is still there. "
            "Drag the forget bias to 0.",
            LONG_GAP,
        ),
        _text_preset(
            "deep", "Deep",
            "The cell climbs one step for each bracket. At the “?” its read-out h is 1.00, as it would be for five.",
            "((((((((eight deep, and then a while of text?",
        ),
        _text_preset(
            "balanced", "Balanced",
            "Every bracket closes and the cell comes back to almost 0. With a smaller forget bias it ends below 0: "
            "the leak takes from what was opened first.",
            "((one)(two(three)))?",
        ),
        _text_preset(
            "shallow-against-deep", "Shallow against deep",
            "Asked at depth 2 and at depth 4, the rival gives nearly the same answer, while the cell has doubled.",
            "((?((?",
        ),
        _text_preset(
            "latch", "Latch",
            "With weight 2 the rival holds 0.9575 for ever: one bit, that a bracket opened, but not how many.",
            LONG_GAP, rnn_weight=2.0,
        ),
        _text_preset(
            "carousel-1997", "Carousel of 1997",
            "Without a forget gate nothing leaks: the cell stays at 2.85, and the forget bias moves nothing.",
            LONG_GAP, forget_gate=False,
        ),
        _text_preset(
            "two-questions", "Two questions",
            "The output gate opens at each ?; to be asked does not change the count, and it goes on from there.",
            "((how many now?) one gone, ((( and three more?",
        ),
    )  # fmt: skip

    @classmethod
    def limits(cls, values):
        return {"cursor": (1, max(1, len(values["text"])))}

    def follow(self, name, value):
        """A cursor at the end of the text stays at its end while one types."""
        at_end = self.cursor >= len(self.text)
        return {"cursor": max(1, len(value))} if name == "text" and at_end else {}

    def compute(self) -> Frame:
        run = BracketCounter(self.forget_bias, self.rnn_weight, self.forget_gate).run(self.text)
        if not self.forget_gate:
            # Sums of ±.95 that should cancel leave 2e-16 behind.
            run = replace(run, c=np.round(run.c, 12) + 0.0)
        return Frame(
            columns=plots.columns(self.text, run, self.cursor),
            readouts=self._readouts(run),
            sentence=self._sentence(run),
            table=self._table(run),
            arithmetic=self._arithmetic(run),
            notes=self._notes(run),
        )

    def _table(self, run: BracketRun) -> Table:
        return Table(
            "Character by character",
            ["t", "character", "i", "f", "g", "o", "c", "h", "forget product", "rival", "true depth"],
            [
                np.arange(1, len(self.text) + 1), list(self.text), run.i, run.f, run.g, run.o, run.c, run.h,
                run.forget_product, run.rnn, run.depth,
            ],
        )  # fmt: skip

    def _judged(self, run: BracketRun) -> int:
        """Index of the character at which the count is judged: the last "?", or the cursor if there is none."""
        return int(run.questions[-1]) if run.questions.size else self.cursor - 1

    def _readouts(self, run: BracketRun):
        if not self.text:
            return []
        here, judged = self.cursor - 1, self._judged(run)
        asked = run.questions.size > 0
        where = "at last “?”" if asked else "at cursor"
        count = [readout("count_at_question", "c at last “?”", run.c[judged])] if asked else []
        return [
            *count,
            readout("error", f"error {where}", run.c[judged] - run.depth[judged]),
            log_readout("forget_product", "forget product", run.log10_forget_product[-1]),
            readout("forget_gate", "forget gate f", run.f[-1]),
            readout("cell", "c at cursor", run.c[here]),
            readout("depth", "depth at cursor", run.depth[here]),
            readout("hidden", "h at cursor", run.h[here]),
            readout("rnn", "rival at cursor", run.rnn[here]),
        ]

    def _sentence(self, run: BracketRun) -> str:
        if not self.text:
            return "There is no text to read: type some brackets and a “?”."
        at = self._judged(run)
        held = _count(run.c[at], int(run.depth[at]))
        return f"{self._place(run, at)} {held} The tanh rival shows {number(run.rnn[at])}."

    def _place(self, run: BracketRun, at: int) -> str:
        if not run.questions.size:
            return f"At character {at + 1} of {len(self.text)} (no “?” asks)"
        gap = at - max(self.text.rfind(bracket, 0, at) for bracket in _BRACKETS) - 1
        which = "last “?”" if run.questions.size > 1 else "“?”"
        return f"At the {which} after {gap} other character{'s' * (gap != 1)}" if gap else f"At the {which}"

    def _notes(self, run: BracketRun) -> list[str]:
        notes = []
        if 1 < run.questions.size <= _LISTED:
            notes += [
                f"“?” at character {q + 1}: true depth {number(run.depth[q])}, cell {number(run.c[q])}, "
                f"read-out h {number(run.h[q])}, rival {number(run.rnn[q])}."
                for q in run.questions
            ]
        if any(abs(run.c[q]) > _SQUASHED for q in run.questions):
            notes.append(
                "The cell counts, the read-out squashes: h = o·tanh(c) is never above 1 however large c is. "
                "To read a count off, look at c."
            )
        if not self.forget_gate:
            notes.append("There is no forget gate: f is 1 at every step, and the forget bias has no say.")
        if np.any(run.depth < 0):
            notes.append("Somewhere more brackets have closed than opened: there the true depth is below 0.")
        return notes

    def _arithmetic(self, run: BracketRun) -> list[str]:
        if not self.text:
            return []
        t = self.cursor - 1
        before, rival = (states[t - 1] if t else 0.0 for states in (run.c, run.rnn))
        i, f, g, o = (gate[t] for gate in (run.i, run.f, run.g, run.o))
        x = {"(": " + 1", ")": " − 1"}.get(self.text[t], " + 0")
        forget = (
            f"σ({operand(self.forget_bias)}) = {operand(f)}" if self.forget_gate else "1 (no forget gate)"
        )
        return [
            f"step {t + 1}, “{isolated(self.text[t])}”: f = {forget}, i = {operand(i)}, "
            f"g = {operand(g)}, o = {operand(o)}",
            f"c = f·c + i·g = {operand(f)}·{factor(before)} + {operand(i)}·{factor(g)} = {result(run.c[t])}",
            f"h = o·tanh(c) = {operand(o)}·tanh({operand(run.c[t])}) = {result(run.h[t])}",
            f"rival: tanh(w·h + x) = tanh({operand(self.rnn_weight)}·{factor(rival)}{x}) = {result(run.rnn[t])}",
        ]

    def plots(self, sources):
        return plots.plots(sources, _WINDOW)


def _count(c: float, depth: int) -> str:
    """What the cell makes of the true depth, in words that never say more than the numbers do."""
    held = number(c)
    if depth == 0:
        return f"the true depth is 0, and the cell holds {held}."
    if depth < 0:
        return f"the cell holds {held} where the true depth is −{-depth}."
    brackets = f"{depth} bracket{'s' * (depth != 1)}"
    if c < 0:
        return f"the cell holds {held} where the true depth is {depth}: the count is gone."
    if c < _GONE:
        return f"{held} of {brackets} is left in the cell: the count is gone."
    if abs(c - depth) < 0.5:
        return f"the cell still holds {held} of {brackets}."
    return f"the cell holds {held} of {brackets}, which does not round to {depth}."
