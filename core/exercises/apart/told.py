"""What the process told of an exception, looked at and cut to size: a student's file may have told it in its stead."""

from dataclasses import dataclass

_TEXT, _NAME = 600, 100
_MOST_NAMES, _MOST_AXES = 600, 8


@dataclass(frozen=True)
class Facts:
    """See `core.exercises.apart.met`, which tells them."""

    kind: str
    """The exception's class, or "signature" for a function that cannot take the arguments."""
    kinds: tuple[str, ...]
    """That class and those that it is derived from."""
    text: str
    line: int | None
    name: str
    """The name that was not defined, or not to be imported."""
    names: tuple[str, ...]
    """Names that were defined there."""
    shapes: dict[str, str]
    """By name, or name and key, the shapes of arrays, such as "(3, 16)"."""
    keys: dict[str, str]
    """By name, the keys of dicts, such as "E, Wxh"."""
    is_syntax: bool
    """Whether the file itself is no Python."""


def believed(told: dict) -> Facts:
    """Whatever was told as facts; what makes no sense is left out."""
    line = told.get("line")
    return Facts(
        kind=_text(told.get("type"), _NAME),
        kinds=_texts(told.get("kinds")),
        text=_text(told.get("text"), _TEXT),
        line=line if type(line) is int else None,
        name=_text(told.get("name"), _NAME),
        names=_texts(told.get("names")),
        shapes={name: _shape(axes) for name, axes in _lists(told.get("shapes"))},
        keys={name: ", ".join(_texts(keys)) for name, keys in _lists(told.get("keys"))},
        is_syntax=told.get("own") is True,
    )


def _text(value: object, longest: int) -> str:
    return " ".join(value[:longest].split()) if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    parts = value[:_MOST_NAMES] if isinstance(value, list) else []
    return tuple(_text(part, _NAME) for part in parts)


def _lists(value: object) -> list[tuple[str, list]]:
    pairs = list(value.items())[:_MOST_NAMES] if isinstance(value, dict) else []
    return [(_text(name, _NAME), held) for name, held in pairs if isinstance(held, list)]


def _shape(axes: list) -> str:
    parts = [str(axis) for axis in axes[:_MOST_AXES] if type(axis) is int]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
