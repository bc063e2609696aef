"""What a lab hands over when its settings have been computed: columns, readouts, one sentence, a table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from widgets.base.diagram import Diagram, Piece
from widgets.base.numbers import from_log10, number

Columns = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Readout:
    """One short labelled number; `value` is what a script reads, `text` what a person reads."""

    key: str
    label: str
    text: str
    value: float | str
    group: str = ""
    """The heading under which it stands with its neighbours of the same; empty: under none."""


def readout(key: str, label: str, value: float, unit: str = "") -> Readout:
    """A readout of a number that fits a float."""
    return Readout(key, label, number(value) + unit, float(value))


def log_readout(key: str, label: str, log10_value: float) -> Readout:
    """A readout of a number that is kept as its decimal logarithm."""
    value = 10.0**log10_value if log10_value < 308 else float("inf")
    return Readout(key, label, from_log10(log10_value), float(value))


@dataclass(frozen=True)
class Table:
    """Named columns of equal length, as shown in the data table and written to CSV."""

    caption: str
    headings: Sequence[str]
    columns: Sequence[Sequence]
    formulas: Sequence[int] = ()
    """Which columns hold formulas of ours, shown with their sub- and superscripts."""

    @property
    def rows(self) -> list[tuple]:
        return list(zip(*self.columns, strict=True))


@dataclass(frozen=True)
class Line:
    """A labelled line of text; `shades` gives each character a value from −1 to 1, or is empty."""

    label: str
    text: str
    shades: Sequence[float] = ()


@dataclass(frozen=True)
class Passage:
    """Text to be read under the figures, as plain text whatever it holds; its shades are of the colour `role`."""

    key: str
    title: str
    description: str
    lines: Sequence[Line]
    role: str = "reference"
    newest: str = ""
    """How its last line is announced where that stands with the figures too; empty: it does not stand there."""


@dataclass(frozen=True)
class Link:
    """A way to another lab: `query` is its address from the question mark on."""

    text: str
    query: str


@dataclass(frozen=True)
class Code:
    """Lines to be read, copied and, if there is a `file` of that name to be made of them, kept; shown as they are."""

    key: str
    title: str
    description: str
    text: str
    file: str = ""
    links: Sequence[Link] = ()


MORE = "more"


@dataclass(frozen=True)
class Button:
    """A button of the lab's own, which its engine answers."""

    name: str
    label: str
    doc: str
    """What it does, in a sentence."""
    enabled: bool = True
    urged: bool = False
    """Whether it is what the visitor will want next."""
    place: str = ""
    """Empty: in the bar of the run; `MORE`: folded away behind it; the name of an upload, or the title of a figure:
    beside that."""
    asks: str = ""
    """What it would throw away, if anything, in a sentence: then it asks first, and is pressed twice."""


@dataclass(frozen=True)
class Progress:
    """How far a run has come, as a share of the whole and in words.

    `warning` says what went wrong, if anything did, and `remedy` is a button that answers it.
    """

    share: float
    text: str
    warning: str = ""
    remedy: Button | None = None


@dataclass(frozen=True)
class Upload:
    """A file that the visitor may hand to the lab's engine; `accept` as in HTML, `most` in bytes."""

    name: str
    label: str
    accept: str
    most: int
    pasted: bool = False
    """Whether its text may be pasted instead."""
    under: str = ""
    """The setting under which it stands; empty: under all of them."""
    when: object = None
    """The value of that setting that asks for it; None: it is always there."""

    def wanted(self, values: Mapping[str, object]) -> bool:
        """Whether the settings ask for it."""
        return self.when is None or values[self.under] == self.when


@dataclass(frozen=True)
class Lost:
    """What is said after the sentence while `value`, of a curve on `source`, lies outside the window."""

    source: str
    value: float
    words: str


@dataclass(frozen=True)
class Frame:
    """The answer of `Lab.compute()`: everything that the page shows for one choice of settings.

    `columns` maps the name of a data source to its columns. Columns drawn on a logarithmic axis hold
    decimal logarithms, with −inf for a true zero (see `widgets.figures.log_axis`).
    """

    columns: Mapping[str, Columns]
    readouts: Sequence[Readout]
    sentence: str
    table: Table
    arithmetic: Sequence[str | Sequence[Piece]] = ()
    notes: Sequence[str] = ()
    passages: Callable[[], Sequence[Passage]] = tuple
    """Makes the passages, which are shown when the settings have come to rest, and worked out no sooner."""
    codes: Sequence[Code] = ()
    """Shown beneath the main picture when the settings have come to rest."""
    buttons: Sequence[Button] = ()
    progress: Progress | None = None
    diagram: Diagram | None = None
    """Drawn before the figures. A lab has one in all its frames, or in none."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """What is said beside an upload, by its name, such as why it was not taken."""
    lost: Lost | None = None
    """What may have left its figure."""
    made_by: Mapping[str, str] = field(default_factory=dict)
    """As they are written, the settings of which another value than the present one made this: those of a run."""


@dataclass(frozen=True)
class Job:
    """Work to be done elsewhere, such as a table; two jobs are equal if they would give the same."""

    work: Callable
    arguments: tuple

    def __call__(self):
        return self.work(*self.arguments)


@dataclass(frozen=True)
class Preset:
    """Named settings, with one sentence on what to look for.

    What `settings` leaves out is at its default. `window` is the fixed range of the log axis, as
    decimal exponents; `windows` are those of linear axes, by their source (or as
    the axis names them), where they differ from the lab's own.
    """

    name: str
    title: str
    look_for: str
    settings: Mapping[str, object]
    window: tuple[float, float] = (-12.0, 6.0)
    windows: Mapping[str, tuple[float, float]] = field(default_factory=dict)
