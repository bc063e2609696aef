"""Files on their way from a page: they come in pieces, since no message may be as large as a file."""

from collections.abc import Mapping, Sequence

from widgets.base.frame import Upload


class Arrivals:
    """Joins the pieces of each upload; `base64` texts of whole groups of three bytes can be strung together."""

    def __init__(self, uploads: Sequence[Upload]):
        self._most = {upload.name: 4 * (-(-upload.most // 3)) for upload in uploads}
        """Characters of base64 that an upload may come to have."""
        self._pieces: dict[str, list[str]] = {}

    def whole(self, message: Mapping) -> Mapping | None:
        """The message with the whole file, once its last piece has come; without any file where it is too large.

        A message that says nothing of pieces is a whole file.
        """
        name, text = message.get("name"), message.get("base64")
        if not isinstance(name, str) or name not in self._most:
            return None
        if not isinstance(text, str):
            return message
        held = [] if message.get("first", True) else self._pieces.pop(name, None)
        if held is None:
            return None
        held.append(text)
        if sum(map(len, held)) > self._most[name]:
            return {key: value for key, value in message.items() if key != "base64"}
        if message.get("last", True):
            return {**message, "base64": "".join(held)}
        self._pieces[name] = held
        return None
