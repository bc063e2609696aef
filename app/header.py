"""The header: name, navigation over the labs, theme toggle, "copy link"; and the browser's history."""

from pathlib import Path

import param

from widgets.page import component
from widgets.page.component import PageComponent, script, style


class Header(PageComponent):
    """The address bar's keeper.

    `address` is `{lab, title, search, share, push, left, asked, answers}`: what the page shows, and where that can be
    found again. A change with `push` adds to the history, and the entry before it is to hold `left`; any other
    replaces the last entry; one that `answers` the search of an entry does so only if that is still the present
    one. `missing` are notices to show above the list of labs, where no lab is open.

    The page reports `{"lab": slug}` for a click in the navigation, `{"search": …}` for Back and Forward, and
    `{"copy": number}` for the address of this very moment, which comes with `asked` = number. It remembers the run of
    each lab, beyond the page, and reports `{"kept": token, "of": slug}` for one with which the lab was not opened.
    """

    labs = param.List(default=[])
    address = param.Dict(default={})
    missing = param.List(default=[])

    _esm = script(Path(component.__file__).parent, "elements.js") + script(Path(__file__).parent, "header.js")

    def __init__(self, on_action, **params):
        super().__init__(on_action, stylesheets=[style("header.css")], **params)
