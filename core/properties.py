"""What a reader of a text would keep in mind at each character, and which units of a network follow it.

A property has one number for each character, the one that holds once that character has been read, as a state
h_t has read x_t. A unit j that carries it follows it through the text; its correlation with the property p is

    r_j = Σ_t (a_tj − ā_j)(p_t − p̄) / √(Σ_t (a_tj − ā_j)² · Σ_t (p_t − p̄)²)

and |r_j| near 1 makes a readable unit, such as the one that Karpathy, Johnson and Fei-Fei (2015, *Visualizing and
understanding recurrent networks*) found to be on inside quotes, or the one that counts the place in a line.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from core.validation import a_string, finite_array

_OPENING, _CLOSING = "([{", ")]}"


def inside_quotes(text: str) -> np.ndarray:
    """(T,): 1 from the opening quote on, 0 from the closing one on.

    A straight double quote opens and closes by turns, “ opens and ” closes; single quotes are apostrophes. An
    empty line closes what was left open, so that one forgotten quote does not turn the rest inside out.
    """
    text = a_string("text", text)
    inside = np.zeros(len(text))
    now, before = 0, ""
    for t, character in enumerate(text):
        if character == '"':
            now = 1 - now
        elif character == "“":
            now = 1
        elif character == "”" or before == character == "\n":
            now = 0
        inside[t], before = now, character
    return inside


def bracket_depth(text: str) -> np.ndarray:
    """(T,): how many of ( [ { are open, of any kind; none below 0, and those inside quotes do not count."""
    quoted = inside_quotes(text)
    depth = np.zeros(len(text))
    now = 0
    for t, character in enumerate(text):
        if not quoted[t]:
            now = max(0, now + (character in _OPENING) - (character in _CLOSING))
        depth[t] = now
    return depth


def line_position(text: str) -> np.ndarray:
    """(T,): how many characters of its line have been read, 1 at the first; 0 at the line end."""
    text = a_string("text", text)
    position = np.zeros(len(text))
    now = 0
    for t, character in enumerate(text):
        position[t] = now = 0 if character == "\n" else now + 1
    return position


def indentation(text: str) -> np.ndarray:
    """(T,): how many spaces and tabs have been read at the start of the line; 0 at the line end."""
    text = a_string("text", text)
    indent = np.zeros(len(text))
    now, leading = 0, True
    for t, character in enumerate(text):
        if character == "\n":
            now, leading = 0, True
        elif leading and character in " \t":
            now += 1
        else:
            leading = False
        indent[t] = now
    return indent


PROPERTIES: dict[str, Callable[[str], np.ndarray]] = {
    "inside quotes": inside_quotes,
    "bracket depth": bracket_depth,
    "position in the line": line_position,
    "indentation": indentation,
}


class UnitRanking(NamedTuple):
    """All n units, the one that follows the property best in front."""

    units: np.ndarray
    """(n,), integers: which unit, counted from 0."""
    correlations: np.ndarray
    """(n,): the correlation r of each, in the same order; below 0 for a unit that falls as the property rises."""


def rank_units(activations: np.ndarray, values: np.ndarray) -> UnitRanking:
    """Rank units by |r| between their ``activations`` (T, n) and a property's ``values`` (T,), largest first.

    Units whose |r| agree to twelve decimals keep their order. A unit that never changes follows nothing: its r
    is 0, and it comes after those that do change and have an r of 0 all the same.

    Raises ValueError for what is not finite or does not fit, and for a property with one value all along, such
    as the depth of brackets in a text that has none.
    """
    activations = finite_array("activations", activations, ("T", "n"))
    values = finite_array("values", values, (len(activations),))
    if values.min() == values.max():
        raise ValueError(f"values must not be the same at all characters, got {values[0]:g} all along")
    changing = activations.min(axis=0) < activations.max(axis=0)
    r = np.clip(_directions(values[:, None]).T @ _directions(activations), -1, 1)[0]
    order = np.lexsort((~changing, -np.abs(r).round(12)))
    return UnitRanking(order, r[order])


def nearest_reading(signal: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(T,): a + b·signal, with the a and b that bring it nearest to ``values`` (T,) by least squares.

    What an output layer could read of a property from one unit, whatever the unit's own scale and sign. The mean of
    the values where the signal never changes. Raises ValueError for what is not finite or does not fit.
    """
    signal = finite_array("signal", signal, ("T",))
    values = finite_array("values", values, (len(signal),))
    direction = _directions(signal[:, None])[:, 0]
    return values.mean() + (direction @ (values - values.mean())) * direction


def _directions(columns: np.ndarray) -> np.ndarray:
    """Each column (T,) less its mean, of length 1 whatever the size of its entries; zero if it is constant."""
    # Over its largest entry a constant is exactly ±1, and so is its mean.
    largest = np.abs(columns).max(axis=0)
    columns = columns / np.where(largest > 0, largest, 1)
    columns -= columns.mean(axis=0)
    lengths = np.linalg.norm(columns, axis=0)
    return columns / np.where(lengths > 0, lengths, 1)
