"""What the training lab's engine tells a visitor when something was not as it was asked for."""

from widgets.base.settings import short

_LONGEST = 300
LOST = (
    "No run is known under this address: it was ended, or nobody looked at it for ten minutes, or the server was "
    "started anew, or the address is not whole. If there was a run, its weights, curves and samples are lost, unless "
    "another page still shows them, or you downloaded the checkpoint: open it below. The settings are still here: "
)
_AS_BEFORE = "Start makes the same run again."
_TEXT_TOO = "hand over your text again, and Start makes the same run."
FAULT = "The server met an error at this, which its log holds. What there was before is still there."
NOT_KEPT = (
    "Your text can be trained on, but the server has no room to keep it: a reload of the page loses it."
)
TAKEN_OVER = "This page follows the run of its address, and so has taken over its settings:"


def lost(corpus: str) -> str:
    """What to say where an address leads to no run any more."""
    return LOST + (_TEXT_TOO if corpus == "own" else _AS_BEFORE)


def as_sentence(text: str) -> str:
    """What an error says, as the page says it; it may quote what came from outside, at any length."""
    text = short(text, _LONGEST)
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?")) else ".")
