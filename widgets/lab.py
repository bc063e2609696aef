"""A lab: one question with its picture, declared once.

A lab is a class with settings (`param` parameters), presets, `compute()` and `plots()`. Everything else,
from controls to export, comes from the parts that read this declaration (`widgets.live` joins them).
"""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

import param
from bokeh.models import ColumnDataSource

from widgets.base import settings
from widgets.base.described import Described
from widgets.base.engine import Engine, Visitor
from widgets.base.frame import Frame, Job, Preset, Upload
from widgets.figures.plot import Plot

RESERVED = frozenset({"lab", "preset", "run", "hide", "only", "embed", "predict", "prose", "present"})


class Lab(param.Parameterized):
    """Base of all labs. The parameters that a subclass declares are its settings."""

    slug: ClassVar[str]
    title: ClassVar[str]
    question: ClassVar[str]
    presets: ClassVar[Sequence[Preset]]
    table_open: ClassVar[bool] = False
    sentence_lines: ClassVar[int] = 1
    """Lines that a wide page keeps free for the sentence, so that a longer one moves nothing."""
    named_in_labels: ClassVar[frozenset[str]] = frozenset()
    """Settings that the label of a pin names at their defaults too."""
    player: ClassVar[str | None] = None
    """The whole-number setting that a Play button walks through, if any."""
    check_label: ClassVar[str | None] = None
    """What the button of `check` says; None for a lab without a check."""
    redraw_button: ClassVar[bool] = True
    """Whether a lab with a seed has a button for the next one."""
    folded: ClassVar[Mapping[str, Sequence[str]]] = {}
    """Settings that lie folded away under the others, by the title of their fold."""
    uploads: ClassVar[Sequence[Upload]] = ()
    """Files that its engine takes."""
    pointers: ClassVar[frozenset[str]] = frozenset()
    """Settings that point at a place in the picture: moving them leaves the preset in force."""

    run = param.String(
        "", precedence=-1, doc="The token of what works in the background for this visitor, if any."
    )

    @classmethod
    def settings(cls) -> dict[str, param.Parameter]:
        """Name → declaration, in the order in which they are declared."""
        return {name: cls.param[name] for name in cls.param if name not in ("name", "run")}

    def compute(self) -> Frame:
        """The present settings → everything that the page shows. Pure."""
        raise NotImplementedError

    def plots(self, sources: Mapping[str, ColumnDataSource]) -> Sequence[Plot]:
        """The figures, built once, on the named sources; the first is the main one."""
        raise NotImplementedError

    def stages(self, plot: Plot) -> bool:
        """Whether a figure stands beside the controls, as the settings are."""
        return plot.staged

    def share(self, plot: Plot) -> float:
        """The share of the window's height of a figure that stands beside the controls, as the settings are."""
        return plot.share

    def comparison(self) -> Job | None:
        """A table too slow to follow the hand: made when the settings have come to rest, in a thread."""
        return None

    def groundwork(self) -> Job | None:
        """What `compute()` would have to wait for, where that is too slow for the hand: done before it, in a thread.

        `compute()` then finds it in a cache; without it, it takes its time and gives the same.
        """
        return None

    def check(self) -> Job | None:
        """A table that is made in a thread when the visitor presses a button, and not before."""
        return None

    def engine(self, visitor: Visitor) -> Engine | None:
        """What works in the background for one visitor of this lab, where settings alone do not make the picture."""
        return None

    @classmethod
    def limits(cls, values: Mapping[str, object]) -> dict[str, tuple[int, int]]:
        """Bounds that follow other settings, such as `k` ≤ `gap`."""
        return {}

    def idle(self) -> Collection[str]:
        """Settings that move nothing in the picture as the others stand: they keep their values, out of sight."""
        return ()

    def follow(self, name: str, value) -> dict[str, object]:
        """Settings that go along when the hand gives a new value to another, such as a cursor at the end of a text."""
        return {}

    def values(self) -> dict[str, object]:
        """The present settings by name."""
        return {name: getattr(self, name) for name in self.settings()}

    def adopt(self, **values) -> None:
        """Take several settings at once, each fitted into its range, with the bounds that follow from them."""
        present, parameters = self.values(), self.param
        wanted = present | values
        for name, value in wanted.items():
            for limited, bounds in self.limits(wanted).items():
                if parameters[limited].bounds != bounds:
                    parameters[limited].bounds = bounds
            wanted[name] = settings.fit(parameters[name], value)
        # One that is set again costs as much as one that changes.
        parameters.update(**{name: value for name, value in wanted.items() if value != present[name]})

    def draws_at_random(self) -> bool:
        return "seed" in self.settings()

    def defaults(self, **values) -> dict[str, object]:
        """The settings at their defaults, except the seed, which stays, and `values`."""
        reset = {name: setting.default for name, setting in self.settings().items()}
        if self.draws_at_random():
            reset["seed"] = self.seed
        return reset | values

    def preset(self, name: str) -> Preset | None:
        """The preset of that name."""
        return next((preset for preset in self.presets if preset.name == name), None)

    def present_preset(self) -> Preset | None:
        """The preset that the present settings amount to, if they do; where a pointer stands does not matter."""
        present = {name: value for name, value in self.values().items() if name not in self.pointers}
        return next((p for p in self.presets if present.items() <= self.defaults(**p.settings).items()), None)

    def written(self, made_by: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
        """The settings as they are written, and in the place of those in ``made_by`` what stands there."""
        present = {name: settings.write(s, getattr(self, name)) for name, s in self.settings().items()}
        return present | made_by

    def described(self, made_by: Mapping[str, str] = MappingProxyType({})) -> Described:
        """The settings in words; those that differ from the default are said always, and those of `named_in_labels`."""
        written = self.written(made_by)
        return Described(
            {
                name: f"{self.param[name].label} = {value if name in made_by else settings.short(value)}"
                for name, value in written.items()
            },
            [
                name
                for name, value in written.items()
                if name in self.named_in_labels
                or value != settings.write(self.param[name], self.param[name].default)
            ],
        )

    def describe(self, made_by: Mapping[str, str] = MappingProxyType({})) -> str:
        """Those that are said always: `Weight w = 1.5, Steps T = 20`."""
        return self.described(made_by).text()
