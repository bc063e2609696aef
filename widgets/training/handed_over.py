"""The checkpoint that a visitor hands over, read in a thread: a large one would keep the other visitors waiting."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial

from widgets.base.engine import Visitor
from widgets.jobs.aside import aside
from widgets.training.uploads import checkpoint_in


class HandedOver:
    """Of several the newest counts; `take(found)` is called in the visitor's session when it has been read."""

    def __init__(self, visitor: Visitor, take: Callable[[Future], None]):
        self._visitor, self._take = visitor, take
        self._awaited: object = None

    @property
    def is_read(self) -> bool:
        """Whether one is being read."""
        return self._awaited is not None

    def read(self, message: Mapping) -> None:
        """Read the checkpoint that came with a message."""
        awaited = self._awaited = object()
        aside(
            asyncio.get_running_loop(),
            partial(checkpoint_in, message),
            lambda found: self._visitor.soon(partial(self._found, awaited, found)),
        )

    def _found(self, awaited: object, found: Future) -> None:
        if awaited is self._awaited:
            self._awaited = None
            self._take(found)
