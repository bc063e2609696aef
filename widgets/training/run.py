"""One training run seen from the page: a job of the pool, with the settings that it began with, as a `Snapshot`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.training import TrainingSettings
from widgets.jobs.job import Job, Status, Wish
from widgets.jobs.process import Loop
from widgets.training.corpora import corpus_of
from widgets.training.declared import LIVE, STRUCTURE, TOLD
from widgets.training.headway import Headway
from widgets.training.inside import SHOWN
from widgets.training.models import shipped
from widgets.training.newest import NewestNet
from widgets.training.recipes import recipes_of
from widgets.training.snapshot import Snapshot, table_of

_ENDED = (
    "This run was ended on another page. Its curves and checkpoint stay for as long as this page is open."
)


@dataclass(frozen=True)
class Kept:
    """What is kept with a job beside its checkpoint, so that a page that finds it need not read that."""

    settings: TrainingSettings | None = None
    """What the run began with; None if no run has begun, and the job only keeps the text."""
    number: int = 0
    """Steps that it had made when it began."""
    own_text: str = ""
    """The visitor's own text, whether the run is of it or not."""


def reached(job: Job) -> int:
    """Steps that a run has made, those included that no checkpoint holds yet."""
    steps = job.records["step"]
    if not steps:
        return job.about.number
    return int(steps[-1]["number"]) - (steps[-1]["loss"] is None)


class Run:
    """A job that somebody looks at; `told` is called at each change of it or of its net, on the server's loop.

    `look_at` gives the text that its net is to read; an empty one stands for the newest sample.
    """

    def __init__(
        self, job: Job, told: Callable[[Job], None], loop: Loop, look_at: Callable[[], str] = lambda: ""
    ):
        self.job = job
        self._told, self._look_at = told, look_at
        self._given_up = False
        self._headway = Headway()
        self._net = NewestNet(loop, lambda: self._heard(job))
        self.detach = job.attach(self._heard)
        self._follow()

    @property
    def settings(self) -> TrainingSettings:
        """What it began with."""
        return self.job.about.settings

    @property
    def corpus(self) -> str:
        return corpus_of(self.settings.text)

    @property
    def fixed(self) -> dict[str, object]:
        """The settings that it has from its first step to its last."""
        return {"corpus": self.corpus, **self._of_settings(*STRUCTURE)}

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

    def snapshot(self) -> Snapshot:
        """What it has come to, but for what only its lab knows."""
        job, settings = self.job, self.settings
        return Snapshot(
            status=job.status.value,
            stepping=job.wish is Wish.STEP,
            corpus=self.corpus,
            cell=settings.cell,
            truncation=settings.truncation,
            described=f"{self.corpus}, {settings.cell} of {settings.hidden_size}, K = {settings.truncation}",
            place=job.place,
            message=_ENDED if self.over and not self._given_up else job.message,
            broken_off=job.broken_off,
            number=self.number,
            characters_a_step=settings.batch_size * settings.truncation,
            steps_per_second=self._headway.steps_per_second,
            vocabulary_size=settings.vocabulary.size,
            steps=table_of(job.records["step"]),
            fresh=table_of(job.records["fresh"]),
            spectrum=table_of(job.records["spectrum"]),
            settings=self.fixed,
            recipes=recipes_of(job.records["recipe"], self._of_settings(*LIVE)),
            agreement=job.records["agreement"],
            samples=job.records["sample"],
            model=self._net.model or shipped(self.corpus),
        )

    def _of_settings(self, *names: str) -> dict[str, object]:
        return {name: getattr(self.settings, name) for name in names}

    def _heard(self, job: Job) -> None:
        # The wait for the first turn is over when it begins, and says nothing of the waits to come.
        going = job.wish is Wish.GO and (job.turn is not None or self._headway.begun)
        self._headway.note(going, self.number)
        self._follow()
        self._told(job)

    def _follow(self) -> None:
        samples = self.job.records["sample"]
        text = self._look_at() or (samples[-1]["text"] if samples else self.settings.text[:SHOWN])
        self._net.follow(self.job.checkpoint, text)
