"""The settings of a page and those that its run goes by, kept in accord, also where several pages look at one run."""

from widgets.training.declared import TOLD, TrainingDeclaration
from widgets.training.run import Run


class Accord:
    """Between one page and its run.

    Each side is compared with what was last heard: what has changed on the page is told, what other pages have
    told is taken over, and neither undoes the other.
    """

    def __init__(self, lab: TrainingDeclaration, run: Run):
        self._lab, self._run = lab, run
        self._heard: dict[str, object] = {}

    def take_over(self) -> list[str]:
        """Let the settings be those of the run; those that were others, as they are now: `Hidden size = 16`."""
        self._heard = self._run.told
        before = self._lab.written()
        self._lab.adopt(**self._run.fixed | self._heard)
        now = self._lab.written()
        return [f"{self._lab.param[name].label} = {now[name]}" for name in now if now[name] != before[name]]

    def tell(self) -> None:
        """Tell the run what has been changed on this page."""
        chosen = self._lab.chosen(*TOLD)
        mine = {name: value for name, value in chosen.items() if value != self._heard.get(name)}
        self._heard = chosen
        self._run.tell(mine)

    def hear(self) -> None:
        """Let the settings follow what other pages have told the run."""
        news = {name: value for name, value in self._run.told.items() if value != self._heard.get(name)}
        self._heard |= news
        if news:
            self._lab.adopt(**news)
