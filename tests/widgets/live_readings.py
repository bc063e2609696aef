"""A living lab as its page sees it: what is asked of it, and the frame that it shows."""

import json

import pytest

from widgets.catalogue import LABS

each_lab = pytest.mark.parametrize("kind", LABS, ids=lambda kind: kind.slug)


def act(live, action, **details):
    """Do as a click in the page does."""
    live._act({"action": action, **details})


def frame_of(live):
    """What the page was last sent."""
    return json.loads(next(iter(live.view._models.values()))[0].data.frame)
