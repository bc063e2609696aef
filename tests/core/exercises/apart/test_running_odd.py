"""What a file returns, replaces or defines that is none of what was asked for: each is called what it is."""

import numpy as np
import pytest


@pytest.mark.parametrize(
    "value",
    ["np.zeros((20000, 1000))", "[0.0] * 25_000", "{'history': [[0.0] * 3000] * 7}", "np.zeros(100_000)"],
)
def test_what_is_too_large_spoils_nothing_beside_it(ran, value):
    outcomes = ran(f"import numpy as np\ndef lstm_cell(x, P): return {value}, x", count=6).outcomes[
        "lstm_cell"
    ]
    for number, outcome in enumerate(outcomes):
        assert (outcome.changed, outcome.later, outcome.fault) == ((), None, None)
        np.testing.assert_array_equal(outcome.returned[1], np.arange(3.0) + number)


EVIL = """
import numpy as np
class Float(float):
    def __float__(self): raise SystemExit
class Whole(int):
    def __int__(self): raise KeyboardInterrupt
class Keys(dict):
    def items(self): return 3
class Endless(list):
    def __iter__(self):
        while True: yield 1
class Nameless(type):
    __name__ = property(lambda kind: 1 / 0)
class Silent(BaseException, metaclass=Nameless): pass
class Classless:
    @property
    def __class__(self): raise SystemExit
def failing(): raise Silent
"""


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("Float(1)", "lstm_cell returned a value that cannot be read."),
        ("Whole(1)", "lstm_cell returned a value that cannot be read."),
        ("Keys(a=1)", "lstm_cell returned a value that cannot be read."),
        ("Classless()", "lstm_cell returned a value that cannot be read."),
        ("failing()", "lstm_cell raised an exception that cannot be read."),
    ],
)
def test_a_value_that_fails_when_it_is_looked_at_is_no_exit(ran, value, sentence):
    for outcome in ran(f"{EVIL}\ndef lstm_cell(x, P): return {value}").outcomes["lstm_cell"]:
        assert outcome.fault.sentence == sentence


def test_a_list_that_never_ends_is_as_long_as_it_says(ran):
    assert ran(f"{EVIL}\ndef lstm_cell(x, P): return Endless([x])").outcomes["lstm_cell"][0].returned == [1]


@pytest.mark.parametrize(
    ("prank", "words"),
    [
        ("np.asarray = lambda *a, **k: [1]", "(numpy.asarray)"),
        ("np.ndarray = np.generic = int", "(numpy.generic, numpy.ndarray)"),
        ("builtins.len = builtins.isinstance = lambda *a: True", "(isinstance, len)"),
        ("del json.dumps", "(json.dumps)"),
    ],
)
@pytest.mark.parametrize("when", ["at once", "when called"])
def test_what_a_file_replaces_is_named(ran, prank, words, when):
    head = "import builtins, json\nimport numpy as np\n"
    if when == "at once":
        fault = ran(f"{head}{prank}\ndef lstm_cell(x, P): return x").fault
    else:
        fault = ran(f"{head}def lstm_cell(x, P):\n    {prank}\n    return x").outcomes["lstm_cell"][0].fault
    assert words in fault.sentence


@pytest.mark.parametrize("hook", ["settrace", "setprofile"])
def test_a_tracer_ends_with_the_call_that_set_it(ran, hook):
    text = f"import sys\ndef lstm_cell(x, P):\n    sys.{hook}(lambda *a: sys.exit())\n    return x"
    for outcome in ran(text).outcomes["lstm_cell"]:
        assert outcome.fault is None or "sys.exit()" in outcome.fault.hint


@pytest.mark.parametrize(
    "prank", ["os.closerange(0, 50)", "[os.write(fd, b'x' * 20) for fd in range(3, 12)]"]
)
def test_a_closed_or_soiled_channel_is_called_that(ran, prank):
    text = f"import os\ntry:\n    {prank}\nexcept OSError:\n    pass\ndef lstm_cell(x, P): return x"
    assert "disturbed the check" in ran(text).fault.sentence


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("lstm_cell = None", "None"),
        ("lstm_cell = 3", "an int"),
        ("class Net:\n    def lstm_cell(self, x, P): return x", "a method of the class Net"),
    ],
)
def test_what_stands_in_a_functions_stead_is_told(ran, text, instead):
    found = ran(f"{text}\ndef gru_cell(x, P): return x", names=("lstm_cell", "gru_cell"))
    assert found.others == {"lstm_cell": instead}
    assert list(found.outcomes) == ["gru_cell"]


def test_a_module_that_has_every_name_has_only_the_functions_it_defines(ran):
    text = "def __getattr__(name): return lambda *a: 3\ndef gru_cell(x, P): return x"
    assert list(ran(text, names=("lstm_cell", "gru_cell")).outcomes) == ["gru_cell"]
