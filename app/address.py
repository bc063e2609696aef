"""The address of a page: which lab, which preset, which settings. Read with care, written short.

    /app?lab=<slug>&preset=<name>&<setting>=<value>      a setting beats the preset

Whatever is wrong in an address costs neither the page nor another setting: the default stands in, and a
notice says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode

from widgets import settings
from widgets.catalogue import LABS, find
from widgets.lab import Lab

Query = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Visit:
    """What an address asks for: a lab with its settings, or None if there is no such lab."""

    lab: Lab | None
    notices: Sequence[str]


def query_of(arguments: Mapping[str, Sequence[bytes]]) -> Query:
    """A request's arguments as text."""
    return {name: [v.decode("utf-8", "replace") for v in values] for name, values in arguments.items()}


def parse_search(search: str) -> Query:
    """The part of an address after the question mark, as `location.search` gives it."""
    return parse_qs(search.removeprefix("?"), keep_blank_values=True, max_num_fields=None)


def read(query: Query) -> Visit:
    """What the address asks for."""
    slugs = query.get("lab", [LABS[0].slug])
    if len(slugs) > 1:
        return Visit(None, ["The address names more than one lab. Choose one."])
    kind = find(slugs[0])
    if kind is None:
        return Visit(None, [f"There is no lab “{_short(slugs[0])}”. These are the labs:"])
    lab = kind()
    notices = [*_take_preset(lab, query.get("preset")), *_take_settings(lab, query)]
    return Visit(lab, notices)


def _take_preset(lab: Lab, names: Sequence[str] | None) -> list[str]:
    if names is None:
        return []
    preset = lab.preset(names[0]) if len(names) == 1 else None
    if preset is None:
        known = ", ".join(preset.name for preset in lab.presets)
        return [f"This lab has no preset “{_short(', '.join(names))}”; it has {known}."]
    lab.adopt(**preset.settings)
    return []


def _take_settings(lab: Lab, query: Query) -> list[str]:
    notices = []
    for name in lab.settings():
        if name in query:
            try:
                _take_setting(lab, name, query[name])
            except ValueError as error:
                kept = settings.write(lab.param[name], getattr(lab, name))
                notices.append(f"{name}: {error}. It stays at {kept or 'empty'}.")
    return notices


def _take_setting(lab: Lab, name: str, texts: Sequence[str]) -> None:
    if len(texts) > 1:
        raise ValueError("given more than once")
    setting, text = lab.param[name], texts[0]
    try:
        value = settings.parse(setting, text)
    except ValueError as error:
        raise ValueError(f"{error}, got “{_short(text)}”") from None
    lab.adopt(**{name: value})
    if isinstance(setting, settings.Text) and len(text) > setting.limit:
        raise ValueError(f"holds up to {setting.limit} characters, the rest was cut off")


def _short(text: str) -> str:
    printable = "".join(c if c.isprintable() else "�" for c in text)
    return printable if len(printable) <= 40 else f"{printable[:39]}…"


def write(lab: Lab) -> str:
    """The short address of the present settings: a preset's name, or what differs from the defaults."""
    defaults, values = lab.defaults(), lab.values()
    preset = lab.present_preset()
    if preset and values != defaults:
        return _encode(lab, {"preset": preset.name}, {"seed"})
    return _encode(lab, {}, {name for name, value in values.items() if value != defaults[name]} | {"seed"})


def write_all(lab: Lab) -> str:
    """An address that names every setting, so that a link lasts even if a default should change."""
    return _encode(lab, {}, set(lab.settings()), keep_defaults=True)


def _encode(lab: Lab, first: Mapping[str, str], names: set[str], keep_defaults: bool = False) -> str:
    pairs = {"lab": lab.slug, **first}
    for name, setting in lab.settings().items():
        value = getattr(lab, name)
        if name in names and (keep_defaults or value != setting.default):
            pairs[name] = settings.write(setting, value)
    return "?" + urlencode(pairs)
