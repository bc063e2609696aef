"""The training lab's engine: what a visitor asks of a run, and when the page is to look at it again.

Nothing here trains: it hands checkpoints to the pool of worker processes.
"""

import asyncio
from collections.abc import Mapping
from contextvars import Context
from dataclasses import replace
from functools import cache

from core.checkpoints import steps_made
from core.text import decode_upload
from core.training import TrainingSettings
from widgets.base.engine import Visitor
from widgets.base.settings import short
from widgets.jobs.job import Job
from widgets.jobs.limits import RefusedError
from widgets.jobs.pool import Pool
from widgets.training.accord import Accord
from widgets.training.before import before_a_run
from widgets.training.corpora import corpus_of, given_text, text_of
from widgets.training.declared import LIVE, STRUCTURE, TOLD, TrainingDeclaration
from widgets.training.run import Run, reached
from widgets.training.snapshot import Snapshot, clip_limit
from widgets.training.turn import first_payload
from widgets.training.uploads import bytes_of, checkpoint_settings

_LONGEST_MESSAGE = 300
INTERVAL = 0.4
"""Seconds between two pictures of a run: a class sees it move, and the server has time for others."""
LOST = (
    "The run of this address is no more: a run that nobody looks at ends after ten minutes, and none outlives the "
    "server. Its weights, curves and samples are lost, unless you downloaded the checkpoint: open it below. The "
    "settings are still here: Start makes the same run again."
)
TAKEN_OVER = "This page follows the run of its address, and so has taken over its settings:"


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
        self._own_text = self._offered = ""
        self._message = self._about = ""
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
        if name not in actions:
            return
        self._message, self._about = "", str(message.get("name")) if name == "upload" else ""
        try:
            actions[name]()
        except (ValueError, RefusedError) as error:
            self._message = _sentence(str(error))
        self._look()
        self._visitor.show()

    def settings_changed(self) -> None:
        """Let the run take over what it can without beginning anew."""
        self._message = self._about = ""
        if self._run is None:
            self._look()
            return
        self._tell()
        self._lab.snapshot = self._of_the_lab(self._lab.snapshot)

    def offer(self, token: str) -> None:
        """Let the page offer a run that is still there, unless it has one."""
        if pool().find(token):
            self._offered = token
            self._look()
            self._visitor.show()

    def close(self) -> None:
        """The visitor has left: the run goes on, for a while."""
        self._closed = True
        if self._run:
            self._run.detach()

    # What the buttons do

    def _opened(self) -> Run:
        """The run, which is made if there is none that could go on."""
        if self._run is None or self._run.over:
            self._begin(first_payload(self._wanted()))
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
            self._run.job.reset(first_payload(self._run.settings))

    def _new_weights(self) -> None:
        self._lab.adopt(seed=(self._lab.seed + 1) % 10_000)
        if self._run and not self._run.over:
            self._begin(first_payload(self._wanted()))

    def _start_anew(self) -> None:
        self._begin(first_payload(self._wanted()))
        self._run.job.start()

    def _end(self) -> None:
        if self._run:
            self._run.give_up()
        self._lab.run = ""

    def _download(self) -> None:
        if self._run:
            checkpoint = self._run.job.checkpoint
            name = f"long-gap-{self._run.corpus}-step-{steps_made(checkpoint)}.npz"
            self._visitor.send_file(name, checkpoint)

    def _upload(self, message: Mapping) -> None:
        data = bytes_of(message)
        if message.get("name") == "text":
            self._own_text = decode_upload(data)
            self._lab.adopt(corpus="own")
        elif message.get("name") == "checkpoint":
            self._open_checkpoint(data)

    def _open_checkpoint(self, data: bytes) -> None:
        settings = checkpoint_settings(data)
        decided = {name: getattr(settings, name) for name in (*STRUCTURE, *LIVE)}
        self._lab.refuse_beyond_bounds(decided)
        self._lab.adopt(corpus=corpus_of(settings.text), **decided)
        self._begin(data)

    # The run

    def _wanted(self) -> TrainingSettings:
        """What the settings ask for. ValueError where there is no own text yet."""
        return TrainingSettings(text_of(self._lab.corpus, self._own_text), **self._chosen(*STRUCTURE, *LIVE))

    def _chosen(self, *names: str) -> dict[str, object]:
        return {name: getattr(self._lab, name) for name in names}

    def _begin(self, payload: bytes) -> None:
        """A new run, in the place of the one that there is; if the pool refuses it, that one stays."""
        old = self._run
        job = pool().open(payload, self._visitor.key, instead_of=old.job if old else None)
        self._attach(job)
        self._tell()

    def _find(self, token: str) -> None:
        job = pool().find(token) if token else None
        if job:
            self._attach(job)
            self._take_over()
        elif token:
            self._message, self._lab.run = LOST, ""

    def _take_over(self) -> None:
        """Let the settings be those of the run, and say so."""
        others = self._accord.take_over()
        if others:
            self._message = f"{TAKEN_OVER} {', '.join(others)}."

    def _tell(self) -> None:
        # A run of other settings stays as it is: a preset for the next one must not reach into it.
        if self._is_of_the_settings():
            self._accord.tell()

    def _hear(self) -> None:
        if self._is_of_the_settings():
            self._accord.hear()

    def _attach(self, job: Job) -> None:
        if self._run:
            self._run.detach()
        self._run, self._lab.run = Run(job, self._told), job.token
        self._accord = Accord(self._lab, self._run)
        if self._run.corpus == "own":
            self._own_text = self._run.settings.text

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

    # What the page is to show

    def _look(self) -> None:
        shown = self._run.snapshot() if self._run else before_a_run(self._lab, self._own_text)
        message = {"message": self._message, "about": self._about} if self._message else {}
        self._lab.snapshot = self._of_the_lab(replace(shown, **message, offer=self._offer_in_words()))

    def _offer_in_words(self) -> str:
        job = pool().find(self._offered) if self._offered and self._run is None else None
        return f"A run that was begun in this browser is still there, at step {reached(job)}." if job else ""

    def _of_the_lab(self, shown: Snapshot) -> Snapshot:
        """The snapshot with what the lab's settings say of it."""
        # What holds for a run of other settings is what it was told last.
        of_the_lab = self._run is None or self._is_of_the_settings()
        told = self._chosen(*TOLD) if of_the_lab else self._run.told
        kept = {name: told[name] for name in ("steps", "temperature")} if self._run else {}
        return replace(
            shown,
            settings=shown.settings | kept,
            outdated=self._outdated(),
            lacks_text=not given_text(self._lab.corpus, self._own_text),
            goal=told["steps"],
            clip_norm=clip_limit(told),
        )

    def _is_of_the_settings(self) -> bool:
        """Whether there is a run that can go on, by the settings of this page."""
        return self._run is not None and not self._run.over and not self._outdated()

    def _outdated(self) -> bool:
        """Whether there is a run, and the settings ask for another."""
        wanted = {"text": given_text(self._lab.corpus, self._own_text), **self._chosen(*STRUCTURE)}
        return self._run is not None and self._run.differs(wanted)


def _sentence(text: str) -> str:
    """What an error says, as the page says it; it may quote what came from outside, at any length."""
    text = short(text, _LONGEST_MESSAGE)
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?")) else ".")
