"""What the settings of a page say of the run that it shows: whether they are the run's, and what it goes by."""

from dataclasses import replace

from widgets.training.corpora import given_text
from widgets.training.declared import STRUCTURE, TOLD, TrainingDeclaration
from widgets.training.run import Run
from widgets.training.snapshot import Snapshot, clip_limit


def is_outdated(lab: TrainingDeclaration, run: Run | None, own_text: str) -> bool:
    """Whether there is a run, and the settings ask for another."""
    wanted = {"text": given_text(lab.corpus, own_text)} | lab.chosen(*STRUCTURE)
    return run is not None and run.differs(wanted)


def is_of_the_settings(lab: TrainingDeclaration, run: Run | None, own_text: str) -> bool:
    """Whether there is a run that can go on, by the settings of this page."""
    return run is not None and not run.over and not is_outdated(lab, run, own_text)


def as_set(shown: Snapshot, lab: TrainingDeclaration, run: Run | None, own_text: str) -> Snapshot:
    """The snapshot with what the settings say of it."""
    # What holds for a run of other settings is what it was told last.
    told = run.told if run and not is_of_the_settings(lab, run, own_text) else lab.chosen(*TOLD)
    kept = {name: told[name] for name in ("steps", "temperature")} if run else {}
    return replace(
        shown,
        settings=shown.settings | kept,
        outdated=is_outdated(lab, run, own_text),
        lacks_text=not given_text(lab.corpus, own_text),
        goal=told["steps"],
        clip_norm=clip_limit(told),
    )
