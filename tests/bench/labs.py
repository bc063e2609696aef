"""Which slider of each lab is moved, through which values, and what its `compute()` alone costs."""

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

import param

from widgets.catalogue import LABS
from widgets.lab import Lab

MAIN_SLIDERS = {
    "jacobians": ("spectral_radius", "input_scale"),
    "brackets": ("forget_bias",),
    "gates": ("forget_bias", "update_bias"),
    "training": ("clip_norm",),
    "cells": ("forget_3",),
    "cost": ("hidden_size", "length"),
    "dropout": ("rate",),
}
"""Labs whose main slider is not their first fractional setting, or that have several, or none with fractions."""


@dataclass(frozen=True)
class Slider:
    """One setting of one lab, and where its slider stands on the lab's page."""

    kind: type[Lab]
    setting: str

    @property
    def label(self) -> str:
        return f"{self.kind.slug} {self.setting}"

    @property
    def query(self) -> str:
        return f"?lab={self.kind.slug}"

    @property
    def index(self) -> int:
        numbers = [n for n, s in self.kind.settings().items() if isinstance(s, param.Number)]
        return numbers.index(self.setting)

    def values(self, count: int) -> list[float]:
        """Values to and fro over the inner four fifths of the range; no two in a row are the same."""
        declared = self.kind.settings()[self.setting]
        (low, high), step = declared.bounds, declared.step
        shares = [0.1 + 0.8 * ((i * 37) % 101) / 100 for i in range(1, count + 1)]
        return [round(low + step * round(share * (high - low) / step), 9) for share in shares]

    def lab_at(self, value: float) -> Lab:
        """The lab as it is when this slider alone has been moved."""
        lab = self.kind()
        lab.adopt(**{self.setting: value})
        return lab


def chosen(slugs: Sequence[str]) -> list[Slider]:
    """The main sliders of the labs with these slugs, or of all labs."""
    unknown = set(slugs) - {kind.slug for kind in LABS}
    if unknown:
        raise SystemExit(f"no such lab: {', '.join(sorted(unknown))}")
    return [
        Slider(kind, setting)
        for kind in LABS
        if not slugs or kind.slug in slugs
        for setting in MAIN_SLIDERS.get(kind.slug) or (_first_fraction(kind),)
    ]


def _first_fraction(kind: type[Lab]) -> str:
    return next(
        name
        for name, setting in kind.settings().items()
        if isinstance(setting, param.Number) and not isinstance(setting, param.Integer)
    )


def compute_ms(kind: type[Lab], times: int = 50) -> float:
    """Median milliseconds of `compute()` at the default settings."""
    lab, spent = kind(), []
    for _ in range(times):
        started = time.perf_counter()
        lab.compute()
        spent.append(1000 * (time.perf_counter() - started))
    return statistics.median(spent)
