"""Checkpoints: a training run as bytes that hold its settings, text and numbers, and nothing that could run.

The bytes are those of an .npz file: a zip of arrays, of which ``about`` is JSON. A checkpoint may come from
anywhere, so nothing in it is believed (`core.archives`): every array must have the type and shape that the settings
give it before it is read, and Python objects (pickles) are refused.
"""

import io
import json
import zipfile
from dataclasses import asdict, fields

import numpy as np

from core import archives
from core.optimizers import Moments
from core.training_settings import TrainingSettings, TrainingState, check_state
from core.validation import one_of, whole_number

MOST_BYTES = archives.MOST_BYTES
"""The most that a checkpoint may hold, packed or unpacked; three LSTM layers of 256 units have 19 MB."""

MOST_ABOUT = 4_000_000
"""The most bytes in which a checkpoint may say what it is about; a text of 200,000 characters takes less."""

_MOST_STEPS = 10**9
_FORMAT = "long-gap training 1"
_DTYPES = ("float32", "float64")
_HEADER = 128
"""Bytes of an .npy file before its numbers, for an array of few axes."""


def save(settings: TrainingSettings, state: TrainingState) -> bytes:
    """The bytes of a run, from which `restore` gives back the same settings and bit for bit the same state.

    Raises ValueError for a state that belongs to other settings.
    """
    check_state(state, settings)
    about = {
        "format": _FORMAT,
        "number": state.number,
        "dtype": state.recurrent.dtype.name,
        "settings": asdict(settings),
    }
    file = io.BytesIO()
    np.savez(
        file,
        about=np.frombuffer(json.dumps(about).encode(), np.uint8),
        **{name: np.ascontiguousarray(array) for name, array in _arrays(state).items()},
    )
    return file.getvalue()


def restore(data: bytes) -> tuple[TrainingSettings, TrainingState]:
    """Settings and state from what `save` made.

    Raises ValueError, in words for whoever sent the bytes, for what is no checkpoint, is truncated or damaged,
    too large, holds arrays of another name, type or shape than its settings ask for, numbers that are not
    finite, running squares below 0, or pickled objects.
    """
    with archives.opened(data) as archive:
        return _restored(archive)


def steps_made(data: bytes) -> int:
    """After how many steps a checkpoint of our own was saved, without reading its arrays."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open("about.npy") as file:
        return json.loads(np.lib.format.read_array(file).tobytes())["number"]


def _restored(archive: zipfile.ZipFile) -> tuple[TrainingSettings, TrainingState]:
    held = archive.namelist()
    if "about.npy" not in held:
        raise ValueError("this is no checkpoint: it does not say what it is about")
    length = archive.getinfo("about.npy").file_size
    if length > MOST_ABOUT:
        raise ValueError(f"a checkpoint must say what it is about in at most {MOST_ABOUT:,} bytes")
    settings, number, dtype = _about(archives.read_array(archive, "about", (length - _HEADER,), np.uint8))
    shapes = _shapes(settings)
    if set(held) != {f"{name}.npy" for name in ("about", *shapes)}:
        raise ValueError(
            f"by its settings this checkpoint must hold {', '.join(shapes)}, all of them and nothing else"
        )
    arrays = {name: archives.read_array(archive, name, shape, dtype) for name, shape in shapes.items()}
    moments = None
    if settings.optimizer == "adam":
        moments = Moments(_group(arrays, "first"), _group(arrays, "second"), number)
        for name, squares in moments.second.items():
            if (squares < 0).any():
                raise ValueError(
                    f"second/{name} in this checkpoint must not be below 0: it is a mean of squares"
                )
    return settings, TrainingState(number, _group(arrays, "parameters"), moments, arrays["recurrent"])


def _about(text: np.ndarray) -> tuple[TrainingSettings, int, np.dtype]:
    """What a checkpoint says of itself: settings, steps made, and the type of its arrays."""
    try:
        about = json.loads(text.tobytes().decode())
    except (ValueError, RecursionError) as error:
        raise ValueError("this checkpoint does not say in JSON what it is about") from error
    if not isinstance(about, dict) or about.get("format") != _FORMAT:
        raise ValueError(f"this checkpoint is not of the format {_FORMAT!r}")
    settings, names = about.get("settings"), {field.name for field in fields(TrainingSettings)}
    if not isinstance(settings, dict) or set(settings) != names:
        raise ValueError(f"this checkpoint must have the settings {', '.join(sorted(names))}")
    number = whole_number("number", about.get("number"), least=0, most=_MOST_STEPS)
    return TrainingSettings(**settings), number, np.dtype(one_of("dtype", about.get("dtype"), _DTYPES))


def _shapes(settings: TrainingSettings) -> dict[str, tuple[int, ...]]:
    """Every array that a checkpoint of these settings holds."""
    model = settings.shape
    groups = ("parameters", "first", "second") if settings.optimizer == "adam" else ("parameters",)
    shapes = {f"{group}/{name}": shape for group in groups for name, shape in model.arrays().items()}
    return shapes | {"recurrent": model.state_shape(settings.batch_size)}


def _arrays(state: TrainingState) -> dict[str, np.ndarray]:
    groups = {"parameters": state.parameters}
    if state.moments:
        groups |= {"first": state.moments.first, "second": state.moments.second}
    arrays = {f"{group}/{name}": array for group, held in groups.items() for name, array in held.items()}
    return arrays | {"recurrent": state.recurrent}


def _group(arrays: dict[str, np.ndarray], group: str) -> dict[str, np.ndarray]:
    prefix = f"{group}/"
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
