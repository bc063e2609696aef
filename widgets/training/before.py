"""What the page shows before a run has begun: the corpus as far as it is known, and the net that comes with it."""

from widgets.training.corpora import characters_known, given_text
from widgets.training.declared import LIVE, TrainingDeclaration
from widgets.training.models import shipped
from widgets.training.recipes import Recipe
from widgets.training.snapshot import Snapshot, clip_limit


def before_a_run(lab: TrainingDeclaration, own_text: str = "") -> Snapshot:
    """A run of no steps with the lab's settings."""
    text = given_text(lab.corpus, own_text)
    return Snapshot(
        corpus=lab.corpus,
        cell=lab.cell,
        truncation=lab.truncation,
        goal=lab.steps,
        clip_norm=clip_limit(lab.values()),
        vocabulary_size=characters_known(text) if text else 0,
        lacks_text=not text,
        recipes=[Recipe(1, {name: getattr(lab, name) for name in LIVE})],
        model=shipped(lab.corpus),
    )
