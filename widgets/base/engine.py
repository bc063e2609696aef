"""What works in the background of a lab for one visitor, beside the settings: it acts, and asks to look again."""

from collections.abc import Callable, Mapping
from typing import Protocol


class Visitor(Protocol):
    """What an engine can do for its visitor."""

    key: str
    """Who it is, for as long as the page is open."""

    def soon(self, work: Callable[[], None]) -> None:
        """Do `work` in the visitor's session, soon; may be called from outside it, on the server's loop."""

    def show(self) -> None:
        """There is more to show: let `compute()` be called again, soon."""

    def send_file(self, name: str, data: bytes) -> None:
        """Give the visitor a file to keep."""


class Engine(Protocol):
    """It changes what its lab's `compute()` finds, and asks the visitor's page to look again."""

    def act(self, name: str, message: Mapping) -> None:
        """Answer one of the lab's own buttons, or an "upload". What is unknown is ignored."""

    def settings_changed(self) -> None:
        """The visitor has changed a setting."""

    def offer(self, token: str) -> None:
        """The visitor's browser remembers a run of this lab, with which the page has not been opened."""

    def close(self) -> None:
        """The visitor has left."""
