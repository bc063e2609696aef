"""The address of a page: which lab, which preset, which settings. Read with care, written short.

    /app?lab=<slug>&preset=<name>&<setting>=<value>      a setting beats the preset

Whatever is wrong in an address costs neither the page nor another setting: the default stands in, and a
notice says so.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode

from widgets.base import settings
from widgets.base.frame import Preset
from widgets.catalogue import LABS, find
from widgets.lab import Lab

Query = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Visit:
    """What an address asks for: a lab with its settings, or None if there is no such lab."""

    lab: Lab | None
    notices: Sequence[str]
    hint: Preset | None = None
    """The preset from which it departs."""


def query_of(arguments: Mapping[str, Sequence[bytes]]) -> Query:
    """A request's arguments as text."""
    return {name: [v.decode("utf-8", "replace") for v in values] for name, values in arguments.items()}


def parse_search(search: str) -> Query:
    """The part of an address after the question mark, as `location.search` gives it."""
    return parse_qs(search.removeprefix("?"), keep_blank_values=True, max_num_fields=None)


def read(query: Query) -> Visit:
    """What the address asks for."""
    slug, *others = query.get("lab", [LABS[0].slug])
    kind = find(slug)
    if kind is None:
        return Visit(None, [f"There is no lab “{settings.short(slug)}”. These are the labs:"])
    lab = kind()
    surplus = ["The address names more than one lab; this is the first of them."] if others else []
    lab.run = settings.short(query.get("run", [""])[0])
    names = query.get("preset", [])
    preset = lab.preset(names[0]) if len(names) == 1 else None
    return Visit(lab, [*surplus, *_take_preset(lab, preset, names), *_take_settings(lab, query)], preset)


def _take_preset(lab: Lab, preset: Preset | None, names: Sequence[str]) -> list[str]:
    if not names:
        return []
    if preset is None:
        known = ", ".join(preset.name for preset in lab.presets)
        return [f"This lab has no preset “{settings.short(', '.join(names))}”; it has {known}."]
    lab.adopt(**preset.settings)
    return []


def _take_settings(lab: Lab, query: Query) -> list[str]:
    notices = []
    for name in lab.settings():
        if name in query:
            try:
                _take_setting(lab, name, query[name])
            except ValueError as error:
                notices.append(f"{name}: {error}.")
    return notices


def _take_setting(lab: Lab, name: str, texts: Sequence[str]) -> None:
    setting, text = lab.param[name], texts[0]
    kept = f"It stays at {settings.short(settings.write(setting, getattr(lab, name)))}"
    if len(texts) > 1:
        raise ValueError(f"given more than once. {kept}")
    try:
        value = settings.parse(setting, text)
    except ValueError as error:
        raise ValueError(f"{error}, got “{settings.short(text)}”. {kept}") from None
    _give(lab, name, value)
    if isinstance(setting, settings.Text) and setting.cut(text) != text:
        raise ValueError(f"{setting.holds}, the rest was cut off")


def _give(lab: Lab, name: str, value) -> None:
    """One setting, and what goes along with it."""
    fitted = settings.fit(lab.param[name], value)
    lab.adopt(**{name: fitted, **lab.follow(name, fitted)})


def write(lab: Lab, departed: Preset | None = None) -> str:
    """The short address of the present settings: what differs from the default, or from a preset; and the visitor's
    own run, which a link does not share.

    The preset in force is named where that is shorter; one that the settings have ``departed`` from, whose windows
    and advice stay, is always, unless it is the lab's first, whose windows are the lab's own.
    """
    preset, differing = lab.present_preset(), _differing(lab, {})
    run = {"run": lab.run} if lab.run else {}
    start = preset or _named(lab, departed)
    if start:
        beside = _differing(lab, start.settings)
        if not preset or len(beside) < len(differing):
            return _encode(lab, {"preset": start.name, **run}, beside)
    return _encode(lab, run, differing)


def _named(lab: Lab, departed: Preset | None) -> Preset | None:
    return departed if departed != lab.presets[0] else None


def _differing(lab: Lab, start: Mapping[str, object]) -> list[str]:
    """The settings that a reader who starts from ``start`` has still to be told, in order."""
    reader = type(lab)()
    reader.adopt(**start)
    differing = []
    for name, value in lab.values().items():
        if value != getattr(reader, name):
            differing.append(name)
            _give(reader, name, value)
    return differing


def write_all(lab: Lab, departed: Preset | None = None) -> str:
    """An address that names every setting, so that a link lasts even if a default should change, and the preset whose
    windows and advice are in force, as in `write`."""
    preset = _named(lab, lab.present_preset() or departed)
    return _encode(lab, {"preset": preset.name} if preset else {}, lab.settings())


def _encode(lab: Lab, named: Mapping[str, str], names: Iterable[str]) -> str:
    settings_named = {name: settings.write(lab.param[name], getattr(lab, name)) for name in names}
    return "?" + urlencode({"lab": lab.slug, **named, **settings_named})
