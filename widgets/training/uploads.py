"""What a visitor hands over, as bytes and as a checkpoint; what this lab could not go on from is refused in words."""

import base64
import binascii
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from core.archives import opened
from core.reading import text_loss
from core.text import UPLOAD_LIMIT, decode_upload
from core.training import TrainingSettings, restore, train
from widgets.training.turn import check_length

TEXT_MOST = UPLOAD_LIMIT
CHECKPOINT_MOST = 48_000_000
"""Bytes."""
MOST_STEPS = 1_000_000
_READ = 200
"""Characters of its own text that a net has to read before it is taken."""


class Checkpoint(NamedTuple):
    """A checkpoint from which this lab can go on."""

    data: bytes
    settings: TrainingSettings
    number: int
    """Steps made."""


def text_in(message: Mapping) -> str:
    """The text that came with a message. ValueError if there is none that could be learnt."""
    return decode_upload(_bytes_in(message, TEXT_MOST))


def checkpoint_in(message: Mapping) -> Checkpoint:
    """The checkpoint that came with a message; it takes a while. ValueError as `_bytes_in` and `checkpoint_of` do."""
    return checkpoint_of(_bytes_in(message, CHECKPOINT_MOST))


def checkpoint_of(data: bytes) -> Checkpoint:
    """The checkpoint in these bytes.

    Raises ValueError as `restore` and `train` do, for a net that is no run, for a text that could not have been
    handed over by itself, for another optimizer than Adam, and for weights so large that a loss is not finite.
    """
    with opened(data) as archive:
        is_net_alone = {"characters.npy", "number.npy"} <= set(archive.namelist())
    if is_net_alone:
        raise ValueError(
            "this is one of the small nets that come with the labs: it has weights alone, without the text, the "
            "settings and Adam’s memory that a run would need to go on. What “Download checkpoint” gives can be opened"
        )
    settings, state = restore(data)
    decode_upload(settings.text.encode("utf-8", "surrogatepass"))
    check_length(settings)
    train(settings, state)
    if state.number > MOST_STEPS:
        raise ValueError(
            f"this lab goes on from at most {MOST_STEPS:,} steps, and this checkpoint was made after {state.number:,}"
        )
    if settings.optimizer != "adam":
        raise ValueError(f"this lab trains with Adam, and this checkpoint was made with {settings.optimizer}")
    with np.errstate(over="ignore", invalid="ignore"):
        loss = text_loss(state.parameters, settings.vocabulary.encode(settings.text[:_READ]))
    if not np.isfinite(loss):
        raise ValueError("the weights of this checkpoint are so large that its loss is not finite")
    return Checkpoint(data, settings, state.number)


def _bytes_in(message: Mapping, most: int) -> bytes:
    """The file that came with a message. ValueError if it was too large to be sent, or did not come whole."""
    if "base64" not in message:
        size = message.get("size")
        has = f"it has {size:,} bytes" if isinstance(size, int) else "it has too many bytes"
        raise ValueError(f"this file is too large: {has}, and at most {most:,} can be read")
    try:
        return base64.b64decode(str(message["base64"]).encode("ascii", "replace"), validate=True)
    except binascii.Error as error:
        raise ValueError("this file did not come whole: try again") from error
