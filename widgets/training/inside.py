"""Inside a trained net: a text coloured by its cells, those first that follow a property best.

Karpathy, Johnson and Fei-Fei (2015) found single cells that are on inside quotes or count down a line; here they
are looked for by correlation (`core.properties`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from core.brackets import BracketCounter
from core.properties import PROPERTIES, UnitRanking, bracket_depth, nearest_reading, rank_units
from widgets.base.frame import Columns, Line, Passage
from widgets.base.numbers import number
from widgets.training.declared import SIGNALS
from widgets.training.snapshot import Model

SHOWN = 400
"""Characters of a text that is looked at."""
_BEST = 5
_WIRED = BracketCounter(forget_bias=10.0, rnn_weight=1.0)
_SHADING = "The stronger the colour, the larger the signal; below 0 only the foot of a character is coloured."


@dataclass(frozen=True)
class Look:
    """What is looked at in a net."""

    text: str
    layer: int
    signal: str
    follows: str
    unit: int


def known_part(model: Model, text: str) -> str:
    """What is looked at of a text: without the characters that the model has never met, and not too long."""
    return "".join(character for character in text if character in model.vocabulary.characters)[:SHOWN]


def signals(model: Model, look: Look) -> dict[str, np.ndarray]:
    """Every signal of the layer that is looked at, (T, d_h) each."""
    layers = model.signals(look.text)
    return layers[min(look.layer, len(layers)) - 1]


def ranking(model: Model, look: Look) -> UnitRanking | None:
    """The cells by how well they follow the property; None where the text has it at one value, or the net no such
    signal."""
    values = PROPERTIES[look.follows](look.text)
    found = signals(model, look)
    if look.signal not in found or len(look.text) < 2 or values.min() == values.max():
        return None
    return rank_units(found[look.signal].astype(float), values)


def passage(model: Model, look: Look) -> Passage:
    """The text as the best cell, as the property, as other good cells, and as the chosen one with its gates."""
    found, ranked = signals(model, look), ranking(model, look)
    lines = []
    if ranked:
        lines = [
            Line(
                f"cell {unit + 1}, {look.signal}, r = {number(r)}",
                look.text,
                _scaled(found[look.signal][:, unit]),
            )
            for unit, r in zip(ranked.units[:_BEST], ranked.correlations[:_BEST], strict=True)
        ]
    # The best cell first, so that it is seen without scrolling, and beneath it what it follows.
    lines.insert(1, Line(look.follows, look.text, _scaled(PROPERTIES[look.follows](look.text))))
    unit = min(look.unit, next(iter(found.values())).shape[1]) - 1
    lines += [
        Line(f"cell {unit + 1}, {name}", look.text, _shades(name, found[name][:, unit]))
        for name in SIGNALS
        if name in found
    ]
    description = (
        f"The net {model.name}, after {model.number} step{'s' * (model.number != 1)}. {_SHADING} "
        f"{_on_ranking(look, found, ranked)}"
    )
    return Passage("inside", "Inside the net", description, lines, "lstm")


def _on_ranking(look: Look, found: Mapping[str, np.ndarray], ranked: UnitRanking | None) -> str:
    if ranked:
        return "r is the correlation with the property."
    if look.signal not in found:
        return f"Its cells have no signal {look.signal} by which to rank them."
    return f"No cell can follow “{look.follows}”, which is the same all along this text."


def counters(model: Model, look: Look) -> dict[str, Columns]:
    """Brackets that are open: the true depth, the hand-wired cell, and the trained cell that follows it best.

    The columns `counts`, and as `follower` which cell that is, and where in the picture this is written.
    """
    found = signals(model, look)
    signal = "c" if "c" in found else "h"
    ranked = ranking(model, replace(look, signal=signal, follows="bracket depth"))
    if ranked is None:
        return no_counters()
    unit, depth = int(ranked.units[0]), bracket_depth(look.text)
    trained = nearest_reading(found[signal][:, unit].astype(float), depth)
    label = f"trained: cell {unit + 1}, {signal}, r = {number(ranked.correlations[0])}"
    return {
        "counts": {
            "t": np.arange(1, len(look.text) + 1),
            "depth": depth,
            "wired": _wired(look.text),
            "trained": trained,
        },
        "follower": {"t": [1.0], "y": [np.ceil(max(depth.max(), trained.max())) + 0.5], "label": [label]},
    }


@lru_cache(maxsize=8)
def _wired(text: str) -> np.ndarray:
    """What the hand-wired cell holds after each character."""
    return _WIRED.run(_as_round_brackets(text)).c


def no_counters() -> dict[str, Columns]:
    names = {"counts": ("t", "depth", "wired", "trained"), "follower": ("t", "y", "label")}
    return {source: {name: np.zeros(0) for name in held} for source, held in names.items()}


def _as_round_brackets(text: str) -> str:
    """What opens as "(", what closes as ")", and the rest as ".", a bracket that closes nothing too."""
    changes = np.diff(bracket_depth(text), prepend=0).astype(int)
    return "".join({1: "(", -1: ")"}.get(change, ".") for change in changes.tolist())


def _shades(name: str, values: np.ndarray) -> list[float]:
    return _scaled(values) if name == "c" else values.astype(float).tolist()


def _scaled(values: np.ndarray) -> list[float]:
    """Values from −1 to 1, by the largest of them."""
    largest = float(np.abs(values).max(initial=0))
    return (values / largest).astype(float).tolist() if largest else np.zeros(len(values)).tolist()
