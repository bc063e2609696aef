"""Whose settings made what the page shows: those of the run, also where others are chosen now."""

from collections.abc import Mapping

from widgets.base import settings
from widgets.training.declared import LIVE, TrainingDeclaration
from widgets.training.recipes import history
from widgets.training.snapshot import Snapshot


def made_by(lab: TrainingDeclaration, run: Snapshot) -> dict[str, str]:
    """The settings of the run of which the lab now has other values, as they are written; none before a run."""
    fixed = {name: settings.write(lab.param[name], value) for name, value in run.settings.items()}
    present = lab.written()
    return {
        name: value for name, value in (fixed | recipe_as_written(lab, run)).items() if value != present[name]
    }


def recipe_as_written(lab: TrainingDeclaration, run: Snapshot) -> dict[str, str]:
    """What the run may take over while it goes on: each value, and to which step it held."""

    def write(name: str) -> str:
        return history(run.recipes, name, lambda value: settings.write(lab.param[name], value))

    return {name: write(name) for name in LIVE} if run.recipes else {}


def changes(lab: TrainingDeclaration, run: Snapshot) -> list[str]:
    """A sentence for each setting that has changed on the way."""
    values: Mapping[str, str] = recipe_as_written(lab, run)
    return [f"{lab.param[name].label}: {value}." for name, value in values.items() if " to step " in value]
