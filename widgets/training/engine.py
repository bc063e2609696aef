"""The training lab's engine: what a visitor asks of a run, and when the page is to look at it again.

Nothing here trains: it hands checkpoints to the pool of worker processes.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextvars import Context
from dataclasses import replace
from functools import cache

from core.checkpoints import steps_made
from core.training import TrainingSettings
from widgets.base.engine import Visitor
from widgets.jobs.job import Job
from widgets.jobs.limits import RefusedError
from widgets.jobs.pool import Pool
from widgets.training.accord import Accord
from widgets.training.before import before_a_run
from widgets.training.corpora import corpus_of, text_of
from widgets.training.declared import LIVE, STRUCTURE, TrainingDeclaration
from widgets.training.handed_over import HandedOver
from widgets.training.messages import FAULT, NOT_KEPT, TAKEN_OVER, as_sentence, lost
from widgets.training.own_text import OwnText
from widgets.training.run import Kept, Run, reached
from widgets.training.shown import as_set, is_of_the_settings
from widgets.training.turn import first_payload
from widgets.training.uploads import Checkpoint, text_in

INTERVAL = 0.4
"""Seconds between two pictures of a run: a class sees it move, and the server has time for others."""


_log = logging.getLogger(__name__)


@cache
def pool() -> Pool:
    """The pool of this server."""
    return Pool("widgets.training.turn:turn")


class TrainingEngine:
    """One visitor's run, if there is one."""

    def __init__(self, lab: TrainingDeclaration, visitor: Visitor):
        self._lab, self._visitor = lab, visitor
        self._run: Run | None = None
        self._accord: Accord | None = None
        self._own_text = OwnText()
        self._offered = ""
        self._message = self._about = ""
        self._handed_over = HandedOver(visitor, self._take_checkpoint)
        self._looking = self._closed = False
        self._find(lab.run)
        self._look()

    def act(self, name: str, message: Mapping) -> None:
        """Answer a button of the lab, or an upload."""
        actions = {
            "start": lambda: self._told_what_to_do().job.start(),
            "one": lambda: self._told_what_to_do().job.step(),
            "pause": self._pause,
            "again": self._reset,
            "weights": self._new_weights,
            "anew": self._start_anew,
            "end": self._end,
            "accept": lambda: self._find(self._offered),
            "keep": self._download,
            "upload": lambda: self._upload(message),
        }
        if name in actions:
            self._attempt(actions[name], str(message.get("name")) if name == "upload" else "")

    def _attempt(self, work: Callable[[], None], about: str = "") -> None:
        """Do what the visitor asks for, and let the page show what came of it, beside an upload that it is `about`."""
        self._message, self._about = "", about
        try:
            work()
        except (ValueError, RefusedError) as error:
            self._message = as_sentence(str(error))
        except Exception:
            # Unforeseen: the page lives on, and says so.
            _log.exception("the training lab could not do what it was asked for")
            self._message = FAULT
        self._look()
        self._visitor.show()

    def settings_changed(self) -> None:
        """Let the run take over what it can without beginning anew."""
        self._message = self._about = ""
        if self._run is None:
            self._look()
            return
        self._tell()
        self._lab.snapshot = as_set(self._lab.snapshot, *self._present())

    def offer(self, token: str) -> None:
        """Let the page offer a run that is still there, unless it has one."""
        if self._run_behind(token):
            self._offered = token
            self._look()
            self._visitor.show()

    def close(self) -> None:
        """The visitor has left: the run goes on, for a while."""
        self._closed = True
        self._own_text.detach()
        if self._run:
            self._run.detach()

    # What the buttons do

    def _opened(self) -> Run:
        """The run, which is made if there is none that could go on."""
        if self._run is None or self._run.over:
            self._begin_wanted()
        return self._run

    def _told_what_to_do(self) -> Run:
        """The run, which goes by the settings of the page on which it is started."""
        run = self._opened()
        self._tell()
        return run

    def _pause(self) -> None:
        if self._run:
            self._run.job.pause()

    def _reset(self) -> None:
        if self._run:
            job = self._run.job
            job.reset(first_payload(self._run.settings))
            job.about = replace(job.about, number=0)

    def _new_weights(self) -> None:
        self._lab.adopt(seed=(self._lab.seed + 1) % 10_000)
        if self._run and not self._run.over:
            self._begin_wanted()

    def _start_anew(self) -> None:
        self._begin_wanted()
        self._run.job.start()

    def _end(self) -> None:
        if self._run:
            self._run.give_up()
        self._lab.run = ""
        self._keep_text()

    def _download(self) -> None:
        if self._run:
            checkpoint = self._run.job.checkpoint
            name = f"long-gap-{self._run.corpus}-step-{steps_made(checkpoint)}.npz"
            self._visitor.send_file(name, checkpoint)

    def _upload(self, message: Mapping) -> None:
        if message.get("name") == "text":
            self._own_text.text = text_in(message)
            self._lab.adopt(corpus="own")
            self._keep_text()
        elif message.get("name") == "checkpoint":
            self._handed_over.read(message)

    def _keep_text(self) -> None:
        """Let the visitor's own text outlive a reload: with the run, or by itself where there is none."""
        if not self._own_text.text:
            return
        try:
            self._lab.run = self._own_text.keep(self._run and self._run.job, self._open)
        except RefusedError as refusal:
            raise RefusedError(NOT_KEPT) from refusal

    def _take_checkpoint(self, found: Future) -> None:
        if not self._closed:
            self._attempt(lambda: self._open_checkpoint(found.result()), "checkpoint")

    def _open_checkpoint(self, checkpoint: Checkpoint) -> None:
        settings = checkpoint.settings
        decided = {name: getattr(settings, name) for name in (*STRUCTURE, *LIVE)}
        self._lab.refuse_beyond_bounds(decided)
        if self._run and not self._run.over and self._run.number:
            raise ValueError(
                f"this page has a run that has come to step {self._run.number}, and the checkpoint would take its "
                "place: end that run first (“More”, “End the run”), and hand the file over again"
            )
        corpus = corpus_of(settings.text)
        if corpus == "own":
            self._own_text.text = settings.text
        self._lab.adopt(corpus=corpus, **decided)
        self._begin(*checkpoint)

    # The run

    def _wanted(self) -> TrainingSettings:
        """What the settings ask for. ValueError where there is no own text yet."""
        return TrainingSettings(
            text_of(self._lab.corpus, self._own_text.text), **self._lab.chosen(*STRUCTURE, *LIVE)
        )

    def _begin_wanted(self) -> None:
        settings = self._wanted()
        self._begin(first_payload(settings), settings)

    def _begin(self, payload: bytes, settings: TrainingSettings, number: int = 0) -> None:
        """A new run, in the place of the one that there is; if the pool refuses it, that one stays."""
        self._attach(self._open(payload, Kept(settings, number, self._own_text.text)))
        self._tell()

    def _open(self, payload: bytes, kept: Kept) -> Job:
        """A new job in the place of that behind the address; a text that another page looks at as well stays."""
        old = pool().find(self._lab.run)
        shared_text = old and not old.about.settings and old.listeners > 1
        return pool().open(payload, self._visitor.key, None if shared_text else old, kept)

    def _run_behind(self, token: str) -> Job | None:
        """The job of a run, not one that only keeps a text."""
        job = pool().find(token) if token else None
        return job if job and job.about.settings else None

    def _find(self, token: str) -> None:
        job, run = pool().find(token) if token else None, self._run_behind(token)
        if job:
            self._own_text.text = job.about.own_text or self._own_text.text
        if run:
            self._attach(run)
            self._take_over()
        elif job:
            self._own_text.stay_with(job)
        elif token:
            self._message, self._lab.run = lost(self._lab.corpus), ""

    def _attach(self, job: Job) -> None:
        if self._run:
            self._run.detach()
        self._run = Run(job, self._told, asyncio.get_running_loop(), lambda: self._lab.look_at)
        self._accord, self._lab.run = Accord(self._lab, self._run), job.token

    # The settings of the page and those of the run

    def _take_over(self) -> None:
        """Let the settings be those of the run, and say so."""
        others = self._accord.take_over()
        if others:
            self._message = f"{TAKEN_OVER} {', '.join(others)}."

    def _tell(self) -> None:
        # A run of other settings stays as it is: a preset for the next one must not reach into it.
        if is_of_the_settings(*self._present()):
            self._accord.tell()

    def _hear(self) -> None:
        if is_of_the_settings(*self._present()):
            self._accord.hear()

    # What the page is to show

    def _told(self, job: Job) -> None:
        """The job has changed; called on the server's loop, outside the visitor's session."""
        if not self._looking and not self._closed:
            self._looking = True
            loop = asyncio.get_running_loop()
            # Whoever caused the change, it is this visitor's session that goes on from here.
            Context().run(loop.call_later, INTERVAL, self._visitor.soon, self._follow)

    def _follow(self) -> None:
        self._looking = False
        if not self._closed:
            self._hear()
            self._look()
            self._visitor.show()

    def _look(self) -> None:
        shown = self._run.snapshot() if self._run else before_a_run(self._lab, self._own_text.text)
        message = {"message": self._message, "about": self._about} if self._message else {}
        shown = replace(shown, **message, offer=self._offer_in_words(), reading=self._handed_over.is_read)
        self._lab.snapshot = as_set(shown, *self._present())

    def _present(self) -> tuple[TrainingDeclaration, Run | None, str]:
        return self._lab, self._run, self._own_text.text

    def _offer_in_words(self) -> str:
        job = self._run_behind(self._offered) if self._run is None else None
        return f"A run that was begun in this browser is still there, at step {reached(job)}." if job else ""
