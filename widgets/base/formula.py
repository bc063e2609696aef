"""Formulas in our own texts: `h_t`, `σ_max`, `h_{t−1}`, `ρ^k`, `|w|^(T−t)` get real subscripts and superscripts.

`lab_view.js` does the same in the browser for texts that change.
"""

import re

_SCRIPT = re.compile(r"(?<=[\w)|‖\]])([_^])(?:\{([^}]*)\}|\(([^)]*)\)|([A-Za-z0-9]+))")

_WORD_JOINER = "\u2060"
"""It takes no room, and no formula begins behind it."""


def formula_html(text: str) -> str:
    """The text with its sub- and superscripts as HTML. For our own texts only: nothing is escaped."""
    return _SCRIPT.sub(_tag, text)


def literal(text: str) -> str:
    """A visitor's text as part of one of ours: what looks like a formula in it is none."""
    return re.sub("(?=[_^])", _WORD_JOINER, text)


def _tag(match: re.Match) -> str:
    tag = "sub" if match[1] == "_" else "sup"
    return f"<{tag}>{match[2] or match[3] or match[4]}</{tag}>"
