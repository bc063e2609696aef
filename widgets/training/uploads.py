"""What a visitor hands over, as bytes and as a checkpoint; what this lab could not go on from is refused in words."""

import base64
import binascii
from collections.abc import Mapping

import numpy as np

from core.reading import text_loss
from core.text import decode_upload
from core.training import TrainingSettings, restore, train

_READ = 200
"""Characters of its own text that a net has to read before it is taken."""


def bytes_of(message: Mapping) -> bytes:
    """The file that came with a message. ValueError if it was too large to be sent, or did not come whole."""
    if "base64" not in message:
        raise ValueError(f"this file is too large: it has {message.get('size', 'too many')} bytes")
    try:
        return base64.b64decode(str(message["base64"]).encode("ascii", "replace"), validate=True)
    except binascii.Error as error:
        raise ValueError("this file did not come whole: try again") from error


def checkpoint_settings(data: bytes) -> TrainingSettings:
    """The settings of a checkpoint from which this lab can go on.

    Raises ValueError as `restore` and `train` do, for a text that could not have been handed over by itself, for
    another optimizer than Adam, and for weights so large that a loss is not finite.
    """
    settings, state = restore(data)
    decode_upload(settings.text.encode("utf-8", "surrogatepass"))
    train(settings, state)
    if settings.optimizer != "adam":
        raise ValueError(f"this lab trains with Adam, and this checkpoint was made with {settings.optimizer}")
    with np.errstate(over="ignore", invalid="ignore"):
        loss = text_loss(state.parameters, settings.vocabulary.encode(settings.text[:_READ]))
    if not np.isfinite(loss):
        raise ValueError("the weights of this checkpoint are so large that its loss is not finite")
    return settings
