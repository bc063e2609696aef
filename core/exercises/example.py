"""What the check would say: its report on a function in which a known mistake was made on purpose."""

from functools import cache

import numpy as np

from core.exercises.contract import NAMES, Checked, Outcome
from core.exercises.judged.cases import cases
from core.exercises.judged.diagnosis import diagnose
from core.exercises.judged.mistakes import KNOWN, wrong_values
from core.exercises.judged.truth import GRADS, RESULTS, grads_name
from core.exercises.said.report import WIDTH, report
from core.exercises.stubs import file_name
from core.validation import one_of


@cache
def example_report(name: str, key: str, width: int = WIDTH) -> str:
    """The report on ``name`` with the mistake of that key made, in the first of the ways in which it is made.

    No file is run for it; ``width`` is that of `report`, and the address in it is relative to the page that shows it.
    Raises ValueError for another exercise, or a key that is none of its mistakes in what is computed.
    """
    known = KNOWN[one_of("name", name, NAMES)]
    slips = {slip.mistake.key: slip for slip in known.slips}
    made = slips[one_of("key", key, slips)].ways[0]
    drawn = cases(name, 0)
    outcomes = [Outcome(_returned(name, wrong_values(name, case, made))) for case in drawn]
    return report(file_name(name), Checked((diagnose(name, drawn, outcomes),)), width, server="")


def _returned(name: str, values: dict[str, np.ndarray]) -> object:
    """The values as a student's function would return them."""
    grads = {key: values[grads_name(key)] for key in GRADS if grads_name(key) in values}
    named = values | {"grads": grads}
    results = tuple(float(named[key]) if key == "loss" else named[key] for key in RESULTS[name])
    return results if len(results) > 1 else results[0]
