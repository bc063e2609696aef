"""A lab brought to life for one visitor: controls in, one push of a new frame out.

The lab itself knows nothing of this. A change of a control goes to the lab's setting; the lab computes;
what differs from what the page shows is sent in one message.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence

from panel.io.document import hold
from panel.io.state import state

from widgets.base.described import Described
from widgets.base.export import csv_text
from widgets.base.frame import Preset
from widgets.figures.drawing import Drawing
from widgets.figures.pins import Pins
from widgets.figures.style import FigurePane
from widgets.lab import Lab
from widgets.page import text as page_text
from widgets.page.desk import Desk
from widgets.page.view import LabView
from widgets.work.arrivals import Arrivals
from widgets.work.comparison import Comparison
from widgets.work.groundwork import Groundwork
from widgets.work.pace import Pace, Quiet, has_loop
from widgets.work.visitor import SessionVisitor

_COUNT = itertools.count(1)


class LiveLab:
    """One visitor's copy of a lab with its page."""

    def __init__(self, lab: Lab, notices: Sequence[str] = (), hint: Preset | None = None):
        self.lab = lab
        # First of all: it finds what works in the background already, and the first frame shows that.
        self._engine = lab.engine(SessionVisitor(self.show, self._send)) if has_loop() else None
        if self._engine:
            state.on_session_destroyed(lambda context: self._engine.close())
        else:
            lab.run = ""
        self._arrivals = Arrivals(lab.uploads)
        self._frame = lab.compute()
        self._hint = lab.present_preset() or hint
        """The preset that was last in force: its advice and its windows stay while one follows it."""
        self._drawing = Drawing(lab, self._frame, self._staged())
        self._pins = Pins(self._drawing.plots)
        self._notices = list(notices)
        self._remarks: dict[str, Sequence[str]] = {}
        self._fitted = False
        self._table_open = lab.table_open
        self._comparison = Comparison(self._show_tables)
        self._check = Comparison(self._show_tables)
        self._groundwork = Groundwork(lab.groundwork(), self._ready)
        self._late = False
        self._desk = Desk(lab, lambda name: self._remarks.pop(name, None), self._refuse)
        self.view = LabView(
            self._act,
            meta=page_text.meta(lab, self._drawing.plots),
            frame=page_text.frame(self._drawing.told(self._frame)),
            state=self._state(),
            tables=self._tables(),
            passages=page_text.passages(self._frame.passages()),
            codes=page_text.codes(self._frame.codes),
            controls=list(self._desk.controls.values()),
            figures=[FigurePane(plot.figure) for plot in self._drawing.plots],
            prose=page_text.prose(lab),
        )
        self._push_soon = Pace(self._push)
        self._rest_soon = Quiet(self._at_rest)
        self._listen()
        if lab.comparison():
            state.onload(self._compare)

    def visit(self, lab: Lab, notices: Sequence[str] = (), hint: Preset | None = None) -> None:
        """Take over the settings of another copy of this lab, as a link or the Back button asks.

        One that names the run which this page shows asks for what is there.
        """
        self._hint = hint or self._hint
        if not lab.run or lab.run != self.lab.run:
            self._take(lab.values())
        self._notices = list(notices)
        self._show_state()

    @property
    def departed(self) -> Preset | None:
        """The preset whose windows and advice are in force, also when settings have moved since."""
        return self.lab.present_preset() or self._hint

    def offer(self, token: str) -> None:
        """Offer the visitor a run that the browser remembers."""
        if self._engine:
            self._engine.offer(token)

    # From the page to the settings

    def _listen(self) -> None:
        self._desk.listen()
        self.lab.param.watch(self._changed, list(self.lab.settings()))
        for plot in self._drawing.plots:
            if plot.tap:
                source, setting = plot.tap
                self._drawing.sources[source].selected.on_change("indices", self._tapped(source, setting))

    def _tapped(self, source: str, setting: str) -> Callable:
        def take(attr, old, new) -> None:
            if new:
                self.lab.adopt(**{setting: new[0] + 1})
                # Left selected, the same point could not be clicked again.
                self._drawing.sources[source].selected.indices = []

        return take

    def _act(self, message: Mapping) -> None:
        """Do what a click in the page asks for: `{"action": name, …}`. What is unknown is ignored."""
        actions = {
            "preset": lambda: self._take_preset(str(message.get("name"))),
            "reset": lambda: self._take(self.lab.defaults()),
            "redraw": self._redraw,
            "pin": self._pin,
            "unpin": lambda: self._unpin(message.get("letter")),
            "fit": self._fit,
            "table": lambda: self._open_table(bool(message.get("open"))),
            "csv": self._send_csv,
            "check": lambda: self._check.follow(self.lab.check()),
            "dismiss": self._dismiss,
            "drawn": self._push_soon.drawn,
            "seen": lambda: self._see(message.get("figures")),
            "refused": lambda: self._refuse(str(message.get("name")), str(message.get("text"))),
        }
        action = message.get("action") if isinstance(message, Mapping) else None
        if isinstance(action, str) and action in actions:
            actions[action]()
        elif isinstance(action, str) and self._engine:
            whole = self._arrivals.whole(message) if action == "upload" else message
            if whole:
                self._engine.act(action, whole)

    def _send(self, message: Mapping) -> None:
        self.view._send_msg(message)

    def _refuse(self, name: str, text: str) -> None:
        """Say why what was typed was not taken as it stands; the next value of that setting takes the word back."""
        if name in self.lab.settings():
            self._remarks[name] = page_text.refusal(self.lab.param[name], text)
            self._rest_soon.request()

    def _see(self, numbers) -> None:
        """Take note of which figures are in view; one that has come into view is brought up to date."""
        if isinstance(numbers, list):
            self._drawing.see(n for n in range(len(self._drawing.plots)) if n in numbers)
            with hold(state.curdoc):
                self._drawing.show(self._frame, self._drawing.in_view)

    def _redraw(self) -> None:
        if self.lab.draws_at_random():
            self.lab.adopt(seed=(self.lab.seed + 1) % 10_000)

    def _take_preset(self, name: str) -> None:
        preset = self.lab.preset(name)
        if preset:
            self._take(self.lab.defaults(**preset.settings))

    def _take(self, values: Mapping[str, object]) -> None:
        self._forget_notices()
        self.lab.adopt(**values)
        self._go_home()
        self._at_rest()

    # From the settings to the page

    def _changed(self, *events) -> None:
        self._desk.show(*(event.name for event in events), *self.lab.limits(self.lab.values()))
        if self._engine:
            self._engine.settings_changed()
        self.show()

    def show(self) -> None:
        """Let the page follow the settings, and what an engine has come to."""
        self._push_soon.request()
        self._rest_soon.request()

    def _push(self, ask: bool = False) -> None:
        """Compute and send, in one message, what is in view and differs from what the page shows.

        With `ask` the page reports when it has drawn it. While groundwork is under way the last frame stays.
        """
        if not self._groundwork.lacks(self.lab.groundwork()):
            self._frame, self._late = self.lab.compute(), False
        with hold(state.curdoc):
            self._drawing.show(self._frame, self._drawing.in_view)
            self._put_frame(next(_COUNT) if ask else 0)

    def _put_frame(self, ask: int = 0) -> None:
        self.view.put(frame=page_text.frame(self._drawing.told(self._frame), self._late, ask))

    def _ready(self) -> None:
        """The groundwork is done."""
        self._remarks.pop("working", None)
        self.show()

    def _at_rest(self) -> None:
        """What may follow a moment after the hand: figures out of sight, chips, the data table, the comparison."""
        with hold(state.curdoc):
            if self._groundwork.working:
                self._late = True
                self._put_frame()
            self._drawing.show(self._frame, self._drawing.sources)
            self._pins.place_letters()
            self._show_state()
            self._show_tables()
            self._show_passages()
            self._show_codes()
        if state.curdoc and not self._groundwork.working:
            self._compare()

    def _state(self) -> dict:
        self._hint = self.departed
        notices = [*self._notices, *itertools.chain(*self._remarks.values())]
        absent = self._drawing.absent_keys(self._frame)
        staged = self._drawing.staged(self.lab)
        pins = page_text.pins(self._pins.held, self._described())
        return page_text.state(self.lab, self._hint, pins, notices, self._fitted, absent, staged)

    def _described(self) -> Described:
        """The settings that made the present curves."""
        return self.lab.described(self._frame.made_by)

    def _show_state(self) -> None:
        self.view.put(state=self._state())

    def _tables(self) -> dict:
        data = self._frame.table if self._table_open else None
        return page_text.tables(data, self._comparison, self._check, self._check.stale(self.lab.check()))

    def _show_tables(self) -> None:
        self.view.put(tables=self._tables())

    def _show_passages(self) -> None:
        passages = self._frame.passages()
        if passages:
            self.view.put(passages=page_text.passages(passages))

    def _show_codes(self) -> None:
        if self._frame.codes:
            self.view.put(codes=page_text.codes(self._frame.codes))

    def _compare(self) -> None:
        self._comparison.follow(self.lab.comparison())

    # What the visitor does to the page, not to the settings

    def _staged(self) -> Preset:
        """The preset whose windows are in force."""
        return self.departed or self.lab.presets[0]

    def _go_home(self) -> None:
        """Back to the fixed window, and the arrows to its edges."""
        self._fitted = False
        with hold(state.curdoc):
            self._drawing.go_home(self._staged())
            self._drawing.show(self._frame, self._drawing.sources)
            self._put_frame()

    def _fit(self) -> None:
        """Fit the axes to the data; a second time, bring back the fixed window, if it was another."""
        with hold(state.curdoc):
            if self._fitted:
                self._go_home()
            else:
                self._fitted = self._drawing.fit(self._frame)
                self._put_frame()
            self._pins.place_letters()
            self._show_state()

    def _pin(self) -> None:
        if self._still_working():
            return
        with hold(state.curdoc):
            self._drawing.show(self._frame, self._drawing.sources)
            gone = self._pins.add(self._described())
            self._remarks["pin"] = page_text.pin_gave_way(gone) if gone else ()
            self._show_state()

    def _unpin(self, letter: str) -> None:
        with hold(state.curdoc):
            self._pins.remove(letter)
            self._remarks.pop("pin", None)
            self._show_state()

    def _open_table(self, open: bool) -> None:
        self._table_open = open
        self._at_rest()

    def _still_working(self) -> bool:
        """Whether the curves lag behind the settings, which would then be taken for theirs; if so, say so."""
        if self._groundwork.working:
            self._remarks["working"] = [
                "The curves are still being worked out: try again when they are there."
            ]
            self._show_state()
        return self._groundwork.working

    def _send_csv(self) -> None:
        if self._still_working():
            return
        self._send({"file": f"long-gap-{self.lab.slug}.csv", "text": csv_text(self.lab, self._frame)})

    def _dismiss(self) -> None:
        self._forget_notices()
        self._show_state()

    def _forget_notices(self) -> None:
        self._notices = []
        self._remarks.clear()
