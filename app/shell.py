"""The shell around the labs: builds a lab when it is first opened, and keeps address and page in step."""

import logging
from collections.abc import Mapping, Sequence

import panel as pn

from app import address
from app.header import Header
from app.transport import send_at_once
from widgets.catalogue import LABS
from widgets.figures.palette import colour_variables
from widgets.lab import Lab
from widgets.live import LiveLab
from widgets.page.component import style
from widgets.work.pace import Quiet

_log = logging.getLogger(__name__)
_PAGE_STYLE = style("page.css") + colour_variables()
_NOWHERE = {
    "lab": None,
    "title": "Labs",
    "search": "",
    "share": "",
    "push": False,
    "left": None,
    "asked": None,
}
_BROKEN = (
    "The lab “{}” could not be opened: something in it went wrong, and the server’s log says what. "
    "The others are not touched by it. These are the labs:"
)
ADDRESS_INTERVAL = 0.3
"""Seconds of rest before the address follows: browsers refuse more than a hundred changes in half a minute."""

send_at_once()


class Shell:
    """One visitor's page."""

    def __init__(self, visit: address.Visit):
        self._open_labs: dict[str, LiveLab] = {}
        self._current: LiveLab | None = None
        self._slot = pn.Column(sizing_mode="stretch_width", margin=0)
        self.header = Header(
            self._travel,
            labs=[{"slug": lab.slug, "title": lab.title, "question": lab.question} for lab in LABS],
        )
        self._address_soon = Quiet(self._show_address, ADDRESS_INTERVAL)
        self._shown = ""
        self._overtaken: dict[str, str] = {}
        self._visit(visit)

    def page(self) -> pn.Column:
        return pn.Column(self.header, self._slot, sizing_mode="stretch_width", margin=0)

    def _travel(self, message: Mapping) -> None:
        """Follow a click in the navigation, or the Back and Forward buttons; or bring the address up to date, or offer
        a run that the browser remembers."""
        if not isinstance(message, Mapping):
            return
        if "copy" in message:
            self._show_address(asked=message["copy"])
        elif "kept" in message:
            self._offer(str(message.get("of")), str(message["kept"]))
        elif "lab" in message:
            self._visit(address.read({"lab": [str(message["lab"])]}), keep=True, push=True)
        else:
            self._return_to(str(message.get("search", "")))

    def _return_to(self, search: str) -> None:
        """Show what an entry of the history asks for.

        An entry that was left before its address had followed cannot be mended in the browser any more, so it
        is remembered here what it should have held.
        """
        if self._current and self._address_soon.waiting:
            self._overtaken[self._shown] = self._written()
        wanted = address.read(address.parse_search(self._overtaken.pop(search, search)))
        self._visit(wanted, answers=search)

    def _visit(
        self, visit: address.Visit, keep: bool = False, push: bool = False, answers: str | None = None
    ) -> None:
        """Show a lab; with `keep`, one that was open before keeps its settings."""
        if visit.lab is None:
            self._show_list(visit.notices)
            return
        slug = visit.lab.slug
        left = self._written() if self._current and push else None
        if slug not in self._open_labs:
            try:
                self._open(visit)
            except Exception:
                _log.exception("the lab %s could not be opened", slug)
                self._show_list([_BROKEN.format(visit.lab.title)])
                self._put_address(visit.lab, push, left, answers=answers)
                return
        elif not keep:
            self._open_labs[slug].visit(visit.lab, visit.notices, visit.hint)
        self._show(self._open_labs[slug])
        self.header.put(missing=[])
        self._show_address(push, left, answers=answers)

    def _show_list(self, notices: Sequence[str]) -> None:
        """Show the list of labs, under what is said about the one that was wanted."""
        self._show(None)
        self.header.put(missing=list(notices), address=_NOWHERE)

    def _open(self, visit: address.Visit) -> None:
        lab = visit.lab
        live = LiveLab(lab, visit.notices, visit.hint)
        lab.param.watch(lambda *events: self._address_soon.request(), [*lab.settings(), "run"])
        self._open_labs[lab.slug] = live
        self._slot.append(live.view)

    def _offer(self, slug: str, token: str) -> None:
        if slug in self._open_labs:
            # What is sent before the page is all there, Panel drops.
            pn.state.onload(lambda: self._open_labs[slug].offer(token))

    def _show(self, wanted: LiveLab | None) -> None:
        self._current = wanted
        for live in self._open_labs.values():
            live.view.visible = live is wanted

    def _show_address(
        self, push: bool = False, left: str | None = None, asked: object = None, answers: str | None = None
    ) -> None:
        """Let the address follow now; `left` is what the entry of the lab that is left should hold."""
        self._address_soon.cancel()
        if self._current:
            self._put_address(self._current.lab, push, left, asked, answers)

    def _written(self) -> str:
        """The address of what is shown."""
        return address.write(self._current.lab, self._current.departed)

    def _put_address(
        self, lab: Lab, push: bool, left: str | None, asked: object = None, answers: str | None = None
    ) -> None:
        departed = self._current.departed if self._current else None
        self._shown = address.write(lab, departed)
        self.header.put(
            address={
                "lab": lab.slug,
                "title": lab.title,
                "search": self._shown,
                "share": address.write_all(lab, departed),
                "push": push,
                "left": left,
                "asked": asked,
                "answers": answers,
            }
        )


def _begins_without_a_page(path: str) -> bool:
    """Whether a page whose session has ended is coming back through its websocket.

    What is built now would be as the page began, without its settings and its run of today, and its styles would
    come from another host: Panel knows the resources of the server only while it answers a request for a page.
    """
    return path.endswith("/ws")


def open_page() -> None:
    """Build the page for the visitor whose request is being answered."""
    pn.extension(reconnect=True)
    document = pn.state.curdoc
    if _begins_without_a_page(document.session_context.request.path):
        return
    document.template_variables["page_style"] = _PAGE_STYLE
    shell = Shell(address.read(address.query_of(pn.state.session_args)))
    # Panel's own Location fails on some addresses ("?n=²"); the header keeps ours.
    shell.page().servable(title="Long Gap", location=False)
