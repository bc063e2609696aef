"""The controls of one visitor's lab: what the hand gives goes to the settings, and they show what the settings are."""

from collections.abc import Callable

from widgets.base import settings
from widgets.lab import Lab
from widgets.page import controls


class Desk:
    """A control for each setting of the lab.

    `taken(name)` is called for each value that the hand gives, before the lab has it, and `refused(name, text)` after
    it, with what was given, if that could not be taken as it stands.
    """

    def __init__(self, lab: Lab, taken: Callable[[str], None], refused: Callable[[str, str], None]):
        self._lab, self._taken, self._refused = lab, taken, refused
        self._controls = {
            name: controls.build(lab.param[name], getattr(lab, name)) for name in lab.settings()
        }

    @property
    def controls(self) -> dict:
        """By the name of the setting, in their order."""
        return dict(self._controls)

    def listen(self) -> None:
        """From now on take what the hand gives."""
        for name, control in self._controls.items():
            control.param.watch(self._taker(name, control), controls.live_value(control))

    def show(self, *names: str) -> None:
        """Let the named controls agree with the settings, whoever changed them."""
        for name in names:
            controls.show(self._controls[name], self._lab.param[name], getattr(self._lab, name))

    def _taker(self, name: str, control) -> Callable:
        def take(event) -> None:
            # A hand may still hold a slider that another's choice has put out of sight.
            if event.new is None or name in self._lab.idle():
                control.value = getattr(self._lab, name)
                return
            fitted = settings.fit(self._lab.param[name], event.new)
            self._taken(name)
            self._lab.adopt(**{name: fitted, **self._lab.follow(name, fitted)})
            if not settings.close(fitted, event.new):
                self._refused(name, str(event.new))
                self.show(name)

        return take
