"""Columns of a data source on their way to the browser: which differ, and how they travel fastest."""

import gzip
import sys
from base64 import b64encode
from collections.abc import Mapping

import numpy as np
from bokeh.core.serialization import Serializer
from bokeh.models import ColumnDataSource


class Numbers(np.ndarray):
    """Numbers, gaps among them, that travel inside the message.

    Bokeh would send an array as two frames of its own on the websocket, and encode a list number by number.
    """


def _inside(numbers: Numbers, serializer: Serializer) -> dict:
    # Bokeh's page expects gzip here; so few bytes are sooner sent than made fewer.
    data = b64encode(gzip.compress(numbers.tobytes(), compresslevel=0)).decode("ascii")
    return {
        "type": "ndarray",
        "array": {"type": "bytes", "data": data},
        "shape": list(numbers.shape),
        "dtype": "float64",
        "order": sys.byteorder,
    }


Serializer.register(Numbers, _inside)


def sendable(column) -> list | np.ndarray:
    """The column as it travels with the least work: as `Numbers`, or as a list of texts."""
    array = np.asarray(column)
    return array.astype(np.float64).view(Numbers) if array.dtype.kind in "iuf" else array.tolist()


def all_sendable(columns: Mapping[str, object]) -> dict[str, list | np.ndarray]:
    """Columns for a source. An array as it is would travel beside the message, where a page that comes back after a
    cut connection does not find it: Bokeh then reads the document's text alone."""
    return {name: sendable(column) for name, column in columns.items()}


def still_source(columns: Mapping[str, object]) -> ColumnDataSource:
    """A source whose columns never change."""
    return ColumnDataSource(all_sendable(columns))


def same(held, new) -> bool:
    """Whether two columns would look the same; a gap equals a gap."""
    held, new = np.asarray(held), np.asarray(new)
    floats = held.dtype.kind == new.dtype.kind == "f"
    return np.array_equal(held, new, equal_nan=floats)
