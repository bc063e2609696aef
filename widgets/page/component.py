"""A part of the page that is drawn by a script of ours and fed by the server, one model for all its text."""

from collections.abc import Callable
from pathlib import Path

from panel.custom import JSComponent
from panel.io.document import hold
from panel.io.state import state

_STYLES = Path(__file__).parents[2] / "assets" / "styles"


def script(folder: Path, *names: str) -> str:
    """The scripts of a component as one module."""
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)


def style(name: str) -> str:
    """A style sheet of `assets/styles`."""
    return (_STYLES / name).read_text(encoding="utf-8")


class PageComponent(JSComponent):
    """The server only shows (`put`), the page only reports what the visitor does (`on_action`)."""

    _render_policy = "manual"
    _linked_properties = ()

    def __init__(self, on_action: Callable[[dict], None], **params):
        super().__init__(sizing_mode="stretch_width", margin=0, **params)
        self._on_action = on_action

    def put(self, **values) -> None:
        """Show new values.

        They go straight to the Bokeh model: Panel's own way visits every model on the page at each change
        (7 ms for a lab) and sends each change in a message of its own.

        Like Panel's they are held: Bokeh sends what is not held when its lock on the document is free again, and a
        later value that is held, and so goes at once, would be overtaken by it.
        """
        if not self._models:
            self.param.update(**values)
        with hold(state.curdoc):
            for model, _ in self._models.values():
                model.data.update(**values)

    @classmethod
    def _patch_datamodel_ref(cls, props, ref) -> None:
        """Mark this component's own data for Panel's cleaning up; its children mark theirs."""
        props.tags.append(f"__ref:{ref}")

    def _handle_msg(self, message: dict) -> None:
        self._on_action(message)
