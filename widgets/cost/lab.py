"""Lab: what a recurrent network costs, in parameters, work, memory and time, beside attention and fixed windows."""

from collections.abc import Mapping

from core.cost import Network
from widgets.base.frame import Frame, Job, Preset, Table
from widgets.base.numbers import count, percent
from widgets.cost import columns, counts, lanterns, plots, words
from widgets.cost.columns import Times
from widgets.cost.declared import CostDeclaration
from widgets.cost.measured import MeasuringEngine
from widgets.cost.sentences import sentence
from widgets.cost.stopwatch import WIDTHS


class CostLab(CostDeclaration):
    slug = "cost"
    title = "Cost"
    question = "What does it cost?"

    presets = (
        Preset(
            "word-model", "Word model",
            "Double d_h: the LSTM’s line rises by up to a factor of four, that of embedding and softmax never by two.",
            {}, (2.0, 9.0),
        ),
        Preset(
            "one-layer", "One layer, 65 to 128",
            "99,328 parameters with one bias, 99,840 with two. Predict the tanh RNN’s and the GRU’s, then choose them.",
            {"input_size": 65, "hidden_size": 128, "vocabulary": 0}, (1.0, 7.0), {"layers": (0.0, 110_000.0)},
        ),
        Preset(
            "tied", "Two layers, tied",
            "Embedding and softmax share 6,500,000 weights. Untie them: the parameters grow, the work does not.",
            {"layers": 2, "input_size": 650, "hidden_size": 650, "tied": True}, (2.0, 9.0), {"layers": (0.0, 7.5e6)},
        ),
        Preset(
            "both-ways", "Both ways",
            "2,000 steps wait for one another. Predict their number for one direction, then choose 1 under Directions.",
            {"picture": "work", "layers": 2, "directions": "2", "vocabulary": 0}, (2.0, 9.0),
            {"layers": (0.0, 2.6e6)},
        ),
        Preset(
            "long-text", "Long text",
            "What attention holds grows with T, a state does not. Then look at learning: there full BPTT grows with T.",
            {
                "picture": "memory", "cell": "gru", "length": 10_000, "vocabulary": 65, "input_size": 32,
                "hidden_size": 128,
            }, (1.0, 7.0), {"layers": (0.0, 70_000.0)},
        ),
        Preset(
            "window-of-five", "A window of five",
            "Find the n that sees “lanterns”, and look what its layer and a table have come to by then.",
            {"picture": "window", "cell": "rnn", "vocabulary": 17_964, "input_size": 60, "hidden_size": 50},
            (1.0, 9.0), {"layers": (0.0, 33_000.0)},
        ),
        Preset(
            "by-the-clock", "By the clock",
            "Double d_h from 8 on (the clock’s cells get as many inputs). See where time grows as the count does.",
            {"picture": "time", "hidden_size": 8}, (2.0, 9.0), {"layers": (0.0, 12_000.0)},
        ),
    )  # fmt: skip

    times: Times | None = None
    """What was measured on this server; its engine sets it. None: not yet."""
    turn: int | None = None
    """Which of its turns the measurement under way is at, for the first time or again; None: there is none."""
    unmeasured = False
    """Whether the last measurement failed."""

    def engine(self, visitor):
        self.run = ""
        return MeasuringEngine(self, visitor)

    def compute(self) -> Frame:
        network = self.network()
        asked = columns.asked(network, self.truncation)
        return Frame(
            columns={
                **{name: columns.drawn(*what) for name, what in asked.items()},
                **columns.marks(self, network),
                "times": columns.timed(self.times),
                "words": lanterns.words(),
                "view": lanterns.view(self.window),
            },
            readouts=words.readouts(self, network),
            sentence=sentence(self, network),
            table=_data_table({name: columns.counted(*what) for name, what in asked.items()}, self.times),
            arithmetic=words.arithmetic(self, network),
            notes=words.notes(self, network),
            buttons=[words.time_again(self)],
        )

    def comparison(self) -> Job:
        return Job(_part_by_part, (self.network(), self.length))

    def plots(self, sources):
        return plots.plots(sources, self.presets[0].window)

    def stages(self, plot) -> bool:
        return plot.title in plots.STAGES[self.picture]


def _data_table(found: Mapping[str, counts.Counts], times: Times | None) -> Table:
    """Every count that is drawn, one a row, and what was measured."""
    rows = [
        (title, curve.label, place, at, value)
        for name, (title, curves) in plots.FIGURES.items()
        for place in [next(iter(found[name]))]
        for curve in curves
        for at, value in zip(found[name][place], found[name][curve.column], strict=True)
        if value
    ]
    rows += [
        (plots.CLOCK, f"{plots.NAMES[cell]}, seconds a step", "d_h", width, seconds)
        for cell, measured in (times or {}).items()
        for width, seconds in zip(WIDTHS, measured, strict=True)
    ]
    headings = ["picture", "curve", "by", "at", "number"]
    return Table("Every number that is drawn", headings, list(zip(*rows, strict=True)))


def _part_by_part(network: Network, length: int) -> Table:
    parts = counts.parts(network, length)
    whole = parts[-1]
    return Table(
        "Part by part: parameters, and the multiply–adds of a step. An embedding is looked up, which takes none; going "
        "back takes two products for each one forward",
        ["part", "parameters", "share", "forward", "backward", f"both, T = {count(length)}", "share of work"],
        [
            [part.name for part in parts],
            [count(part.parameters) for part in parts],
            [percent(part.parameters / whole.parameters) for part in parts],
            [count(part.forward) for part in parts],
            [count(part.backward) for part in parts],
            [count(part.sequence) for part in parts],
            [percent(part.forward / whole.forward) for part in parts],
        ],
    )
