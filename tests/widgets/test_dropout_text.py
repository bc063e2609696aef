"""What the dropout lab's text says and asks, against what the lab shows."""

import math
import re
from functools import partial
from pathlib import Path

import pytest

from tests.widgets import lab_readings as readings
from widgets.dropout.curves import MEMORIES, UNITS
from widgets.dropout.lab import DropoutLab

TEXT = (Path(__file__).parents[2] / "assets/text/dropout.md").read_text(encoding="utf-8")

frame_with = partial(readings.frame_with, DropoutLab)
values = partial(readings.values_with, DropoutLab)


def test_what_the_text_says_of_the_memory():
    assert f"A memory of {UNITS} units" in TEXT
    assert f"{MEMORIES} memories" in TEXT
    for slow, quick in ((0.1, 0.2), (0.01, 0.02)):
        assert 1.9 < values(rate=slow)["half_life"] / values(rate=quick)["half_life"] < 2.2


def test_below_which_mean_the_text_says_that_most_memories_are_empty():
    """(1 − q)^25 = 1/2 at q = 0.0273."""
    said = float(re.search(r"Once the mean share is below ([\d.]+) %, more than half", TEXT)[1]) / 100
    assert said == pytest.approx(-math.expm1(-math.log(2) / UNITS), abs=5e-4)
    assert "less than one unit of 25" not in TEXT


def test_what_the_text_asks_of_an_empty_memory_can_be_answered():
    """q = 1 − .5^(1/25) = .027345 is left after log q/log .8 = 16.13 steps, q = 1 − .5^(1/50) = .013767 after 19.21:
    later by 3.08 steps, one half-life of 3.11."""
    (asked,) = re.findall(r"^- (At which step is a memory .*)$", TEXT, re.MULTILINE)
    assert "*All gone*" in asked
    units = int(re.search(r"one of (\d+) units", asked)[1])
    formula = re.search(r"\*(\(1 − q_t\)\^N) = 0.5\*", asked)[1]
    assert f"are gone with probability *{formula}*" in TEXT
    law = frame_with().columns["gone"]["law"]
    assert law[16] < 0.5 < law[17]
    steps = [math.log(-math.expm1(-math.log(2) / n)) / math.log(0.8) for n in (UNITS, units)]
    assert steps == pytest.approx([16.13, 19.21], abs=0.01)
    assert (steps[1] - steps[0]) / values()["half_life"] == pytest.approx(1, abs=0.02)
