"""Browser contexts that are used again: what Chromium has loaded and compiled stays, what a visitor leaves does not."""

from collections.abc import Mapping

from playwright.sync_api import Browser, BrowserContext


class Contexts:
    """The contexts of one browser for one origin, by their options.

    In a new context the page's scripts are loaded and compiled anew, a quarter of the work of an opening.
    """

    def __init__(self, browser: Browser, origin: str):
        self._browser, self._origin = browser, origin
        self._free: dict[str, list[_Kept]] = {}

    def borrow(self, options: Mapping[str, object]) -> "_Kept":
        """One that nobody has at the moment; two visitors of one test share nothing."""
        free = self._free.setdefault(repr(sorted(options.items())), [])
        return free.pop() if free else _Kept(self._browser.new_context(**options), self._origin, free)


class _Kept:
    """A context with one empty page, from which it is cleared after each test."""

    def __init__(self, context: BrowserContext, origin: str, free: list["_Kept"]):
        self.context = context
        self._origin, self._free = origin, free
        self._empty = context.new_page()
        self._devtools = context.new_cdp_session(self._empty)

    def give_back(self) -> None:
        """Close its pages, and forget what they have kept in the browser."""
        for page in self.context.pages:
            if page != self._empty:
                page.close()
        self.context.clear_cookies()
        self._devtools.send(
            "Storage.clearDataForOrigin", {"origin": self._origin, "storageTypes": "local_storage"}
        )
        self._free.append(self)
