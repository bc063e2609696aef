"""The net of a run's newest checkpoint, read in a thread, since a large one would hold up the server's loop."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial

from core.training import restore
from widgets.jobs.aside import aside
from widgets.jobs.process import Loop
from widgets.training.inside import known_part
from widgets.training.snapshot import Model


class NewestNet:
    """Reads one checkpoint at a time, and then the newest that there is; `changed` is called on the loop after each."""

    def __init__(self, loop: Loop, changed: Callable[[], None]):
        self.model: Model | None = None
        self._loop, self._changed = loop, changed
        self._checkpoint: bytes | None = None
        self._reading = False

    def follow(self, checkpoint: bytes, text: str) -> None:
        """Read this checkpoint, unless it is known or another is being read, and let its net read the `text`."""
        if not self._reading and checkpoint is not self._checkpoint:
            self._reading, self._checkpoint = True, checkpoint
            aside(self._loop, partial(_net, checkpoint, text), self._take)

    def _take(self, read: Future) -> None:
        self._reading = False
        self.model = read.result()
        self._changed()


def _net(checkpoint: bytes, text: str) -> Model:
    settings, state = restore(checkpoint)
    model = Model(state.parameters, settings.vocabulary, state.number, "of this run’s last checkpoint")
    # The page will ask for it, and then it is there.
    if known := known_part(model, text):
        model.signals(known)
    return model
