"""One training run seen from the page: a job of the pool, with the settings that it began with, as a `Snapshot`."""

from collections.abc import Callable, Mapping

from core.checkpoints import steps_made
from core.training import TrainingSettings, TrainingState, restore
from widgets.jobs.job import Job, Status
from widgets.training.corpora import corpus_of
from widgets.training.declared import LIVE, STRUCTURE, TOLD
from widgets.training.recipes import recipes_of
from widgets.training.snapshot import Model, Snapshot, table_of

_AT_WORK = (Status.WAITING, Status.RUNNING, Status.PAUSING)
_ENDED = (
    "This run was ended on another page. Its curves and checkpoint stay for as long as this page is open."
)


def reached(job: Job) -> int:
    """Steps that a job has made, those included that no checkpoint holds yet."""
    steps = job.records["step"]
    if not steps:
        return steps_made(job.checkpoint)
    return int(steps[-1]["number"]) - (steps[-1]["loss"] is None)


class Run:
    """A job that somebody looks at; `told` is called at each of its changes, on the server's loop."""

    def __init__(self, job: Job, told: Callable[[Job], None]):
        self.job = job
        self.settings, state = restore(job.checkpoint)
        self.corpus = corpus_of(self.settings.text)
        self._given_up = False
        self.fixed = {"corpus": self.corpus, **self._of_settings(*STRUCTURE)}
        """The settings that it has from its first step to its last."""
        self._recipe = self._of_settings(*LIVE)
        self._model = _model(self.settings, state)
        self._model_of = job.checkpoint
        self.detach = job.attach(told)

    @property
    def number(self) -> int:
        """Steps made, those included that no checkpoint holds yet."""
        return reached(self.job)

    @property
    def over(self) -> bool:
        """Whether it has been ended, here or elsewhere, so that nothing more comes of it."""
        return self.job.status is Status.STOPPED

    @property
    def told(self) -> dict[str, object]:
        """Which of `TOLD` it goes by from its next turn on; nothing before it has been told for the first time."""
        note = self.job.note
        return {name: note[name] for name in TOLD[len(LIVE) :]} | note["settings"] if note else {}

    def tell(self, values: Mapping[str, object]) -> None:
        """Let it go by these from its next turn on, and let all pages that look at it know."""
        told = self.told | values
        if told != self.told:
            recipe = {name: told.pop(name) for name in LIVE}
            self.job.note = {"settings": recipe, "corpus": self.corpus, **told}
            self.job.tell()

    def give_up(self) -> None:
        """End it from this page, where its curves and its checkpoint stay."""
        self._given_up = True
        self.job.stop()

    def differs(self, wanted: Mapping[str, object]) -> bool:
        """Whether it began with other settings than these."""
        return any(getattr(self.settings, name) != value for name, value in wanted.items())

    def _of_settings(self, *names: str) -> dict[str, object]:
        return {name: getattr(self.settings, name) for name in names}

    def snapshot(self) -> Snapshot:
        """What it has come to, but for what only its lab knows."""
        job, settings = self.job, self.settings
        return Snapshot(
            status=job.status.value,
            corpus=self.corpus,
            cell=settings.cell,
            truncation=settings.truncation,
            described=f"{self.corpus}, {settings.cell} of {settings.hidden_size}, K = {settings.truncation}",
            place=job.place,
            message=_ENDED if self.over and not self._given_up else job.message,
            number=self.number,
            characters_a_step=settings.batch_size * settings.truncation,
            vocabulary_size=settings.vocabulary.size,
            steps=table_of(job.records["step"]),
            fresh=table_of(job.records["fresh"]),
            spectrum=table_of(job.records["spectrum"]),
            settings=self.fixed,
            recipes=recipes_of(job.records["recipe"], self._recipe),
            agreement=job.records["agreement"],
            samples=job.records["sample"],
            model=self._trained_model(),
        )

    def _trained_model(self) -> Model:
        """That of the last checkpoint, read again when the run has come to rest."""
        job = self.job
        if self._model_of is not job.checkpoint and job.status not in _AT_WORK:
            self._model = _model(*restore(job.checkpoint))
            self._model_of = job.checkpoint
        return self._model


def _model(settings: TrainingSettings, state: TrainingState) -> Model:
    return Model(state.parameters, settings.vocabulary, state.number, "of this run")
