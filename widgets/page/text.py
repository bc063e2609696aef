"""What a lab's page says, as plain dictionaries for `lab_view.js`. Text only: nothing here is markup."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from math import nan
from pathlib import Path
from typing import Protocol

import numpy as np
import panel as pn

from widgets.base import settings
from widgets.base.described import Described
from widgets.base.diagram import Diagram
from widgets.base.formula import formula_html
from widgets.base.frame import Code, Frame, Line, Passage, Preset, Progress, Readout, Table
from widgets.base.numbers import number
from widgets.figures.palette import ROLES
from widgets.figures.pins import Pin
from widgets.figures.plot import Plot
from widgets.lab import Lab
from widgets.page.component import style

_log = logging.getLogger(__name__)
_TEXTS = Path(__file__).parents[2] / "assets" / "text"


def meta(lab: Lab, plots: Sequence[Plot]) -> dict:
    """What never changes on a lab's page."""
    names = list(lab.settings())
    return {
        "slug": lab.slug,
        "title": lab.title,
        "question": lab.question,
        "sentenceLines": lab.sentence_lines,
        "presets": [{"name": p.name, "title": p.title, "lookFor": p.look_for} for p in lab.presets],
        "redraw": lab.draws_at_random() and lab.redraw_button,
        "player": names.index(lab.player) if lab.player else None,
        "settings": [{"name": n, "label": s.label, "doc": s.doc} for n, s in lab.settings().items()],
        "plots": [
            {
                "title": p.title,
                "description": p.description,
                "fixed": p.axis is not None,
                "legend": [asdict(key) for key in p.legend],
                "share": p.share,
                "half": p.half,
                "wide": p.wide,
                "optional": p.optional,
            }
            for p in plots
        ],
        "palette": ROLES,
        "comparison": lab.comparison() is not None,
        "check": lab.check_label,
        "folds": [[title, [names.index(n) for n in held]] for title, held in lab.folded.items()],
        "uploads": [
            asdict(upload) | {"under": names.index(upload.under) if upload.under else None}
            for upload in lab.uploads
        ],
    }


def frame(frame: Frame, late: bool = False, ask: int = 0) -> str:
    """What every move of a slider changes, besides the curves; of a `late` one, that its numbers are to come.

    A page that is asked, by a number that is not 0, reports when it has drawn this.
    """
    if late:
        blank = [
            replace(r, text="…", value="nan" if isinstance(r.value, str) else nan) for r in frame.readouts
        ]
        said = {"sentence": "Working it out…", "readouts": _readouts(blank), "arithmetic": [], "notes": []}
    else:
        said = {
            "sentence": frame.sentence,
            "readouts": _readouts(frame.readouts),
            "arithmetic": list(frame.arithmetic),
            "notes": list(frame.notes),
            "diagram": frame.diagram and vars(frame.diagram) | _drawn(frame.diagram),
        }
    return json.dumps(said | _run(frame) | {"ask": ask, "madeBy": dict(frame.made_by)})


def _readouts(readouts: Sequence[Readout]) -> list[list]:
    """Each with whether it is in words, and under which heading it stands."""
    return [[r.key, r.label, r.text, str(r.value), isinstance(r.value, str), r.group] for r in readouts]


def _drawn(diagram: Diagram) -> dict:
    return {"boxes": [vars(box) for box in diagram.boxes], "links": [vars(link) for link in diagram.links]}


def _run(frame: Frame) -> dict:
    """What a lab with an engine has to show besides."""
    if not frame.buttons:
        return {}
    return {
        "buttons": [asdict(button) for button in frame.buttons],
        "progress": frame.progress and _progress(frame.progress),
        "answers": dict(frame.answers),
    }


def _progress(progress: Progress) -> list:
    return [progress.share, progress.text, progress.warning, progress.remedy and asdict(progress.remedy)]


def passages(passages: Sequence[Passage]) -> str:
    """The passages under the figures, with their shades in hundredths."""
    return json.dumps(
        [asdict(passage) | {"lines": [_line(line) for line in passage.lines]} for passage in passages]
    )


def codes(codes: Sequence[Code]) -> str:
    """The blocks of lines beneath the main picture."""
    return json.dumps([asdict(code) for code in codes])


def _line(line: Line) -> list:
    return [line.label, line.text, [round(100 * shade) for shade in line.shades]]


def state(
    lab: Lab,
    hint: Preset | None,
    pins: Sequence[dict],
    notices: Sequence[str],
    fitted: bool,
    absent_keys: Sequence[Sequence[int]],
    staged: Mapping[int, float],
) -> dict:
    """What a click changes. `hint` is the preset that was last in force: its advice stays while one follows it,
    under its name, since it may no longer hold. `absent_keys` are left out of the figures' legends; the figures
    `staged` stand beside the controls, each with its share of the window's height."""
    preset, idle = lab.present_preset(), lab.idle()
    advice = hint.look_for if hint else ""
    if hint and not preset:
        advice = f"From “{hint.title}”: {advice}"
    return {
        "preset": preset.name if preset else None,
        "lookFor": advice,
        "pins": list(pins),
        "notices": list(notices),
        "fitted": fitted,
        "absent": absent_keys,
        "staged": [list(each) for each in staged.items()],
        "uploads": [upload.wanted(lab.values()) for upload in lab.uploads],
        "idle": [name in idle for name in lab.settings()],
    }


def pins(held: Sequence[Pin], present: Described) -> list[dict]:
    """The pins by their letters; a label says first what tells its pin from the other, then from what is present."""
    return [
        {
            "letter": pin.letter,
            "label": pin.made.text(*(other.made for other in held if other is not pin), present),
            "sign": pin.sign,
        }
        for pin in sorted(held, key=lambda pin: pin.letter)
    ]


class Made(Protocol):
    """A table that is made elsewhere."""

    table: Table | None
    working: bool


def tables(data: Table | None, comparison: Made, check: Made, stale: bool) -> dict:
    """The tables of a page; those that are None are not shown. `stale`: the check is one of other settings."""
    return {
        "open": data is not None,
        "data": data and table(data),
        "comparison": comparison.table and table(comparison.table),
        "working": comparison.working,
        "check": check.table and table(check.table),
        "checking": check.working,
        "stale": stale,
    }


def table(table: Table) -> dict:
    """A table with its numbers written for people."""
    return {
        "caption": table.caption,
        "headings": list(table.headings),
        "rows": [[_cell(value) for value in row] for row in table.rows],
        "formulas": list(table.formulas),
    }


def _cell(value) -> str:
    if isinstance(value, (float, np.floating)):
        return number(float(value))
    return str(value)


def refusal(setting, text: str) -> list[str]:
    """What to say when something typed was not taken as it stands."""
    if isinstance(setting, settings.Text):
        if setting.cut(text) == text:
            return []
        return [f"{setting.label} {setting.holds}: the rest was cut off."]
    try:
        settings.parse(setting, text)
    except ValueError as error:
        return [
            f"{setting.label}: {error}, got “{settings.short(text)}”. The nearest value that it can take is shown."
        ]
    return []


def pin_gave_way(pin: Pin) -> list[str]:
    """What to say when a third pin took the place of the oldest."""
    return [f"Two settings can be pinned. The new one took the place of “{pin.label}”."]


def prose(lab: Lab) -> pn.pane.Markdown:
    """The lab's own text, `assets/text/<slug>.md`."""
    return pn.pane.Markdown(
        formula_html(_prose_text(lab)),
        stylesheets=[style("prose.css")],
        sizing_mode="stretch_width",
        margin=0,
        disable_anchors=True,
    )


def _prose_text(lab: Lab) -> str:
    try:
        return (_TEXTS / f"{lab.slug}.md").read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        _log.exception("the text of the lab %s could not be read", lab.slug)
        return "The text about this lab could not be read; the server’s log says why. The lab itself works without it."
