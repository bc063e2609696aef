"""What the training lab's engine tells a visitor when something was not as it was asked for."""

from widgets.base.settings import short

_LONGEST = 300
LOST = (
    "No run is known under this address: it was ended, or nobody looked at it for ten minutes, or the server was "
    "started anew, or the address is not whole. If there was a run, its weights, curves and samples are lost, unless "
    "another page still shows them, or you downloaded the checkpoint: open it below. A text of your own has to be "
    "handed over again. The settings are still here: Start makes the same run again."
)
NOT_KEPT = (
    "Your text can be trained on, but the server has no room to keep it: a reload of the page loses it."
)
TAKEN_OVER = "This page follows the run of its address, and so has taken over its settings:"


def as_sentence(text: str) -> str:
    """What an error says, as the page says it; it may quote what came from outside, at any length."""
    text = short(text, _LONGEST)
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?")) else ".")
