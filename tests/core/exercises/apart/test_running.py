"""What comes of a student's file that is run apart: results, observations and faults, and nothing else."""

import json
import struct

import numpy as np
import pytest

from core.exercises.contract import Foreign


def test_results_come_back_as_they_were_returned(ran):
    text = """
import collections
import numpy as np
Pair = collections.namedtuple("Pair", "loss grads")
def lstm_cell(x, P):
    grads = {"W": P["W"] * 2, "b": [1, 2.5, None, True], "s": np.float32(0.1), "z": np.array(3)}
    return Pair(float(x @ x), grads), (x @ P["W"]).astype(np.float32)
"""
    first = ran(text).outcomes["lstm_cell"][0]
    (loss, grads), product = first.returned
    assert loss == 5.0
    np.testing.assert_array_equal(grads["W"], np.full((3, 4), 2.0))
    assert grads["b"] == [1, 2.5, None, True]
    assert grads["b"][3] is True
    assert grads["s"].dtype == np.float32
    assert grads["z"].shape == ()
    assert product.dtype == np.float32
    np.testing.assert_array_equal(product, [3.0] * 4)
    assert (first.changed, first.later, first.fault) == ((), None, None)


@pytest.mark.parametrize(
    ("expression", "description"),
    [
        ("'a text'", "a str"),
        ("lambda: 0", "a function"),
        ("np.array([{}])", "an array of objects"),
        ("np.array(['a'])", "an array of str32"),
        ("np.zeros(5_000_000)", "an array of shape (5000000,), too large to be looked at"),
        ("[0.0] * 25_000", "a list of 25,000, too large to be looked at"),
        ("np.ma.masked_array(x, mask=True)", "a MaskedArray"),
        ("np.matrix(x)", "a matrix"),
        ("{1: 2}", "a dict with keys that are no texts"),
        ("(i for i in x)", "a generator"),
        ("10 ** 100", "an int of very many digits"),
    ],
)
def test_what_is_no_number_is_described_and_not_brought_back(ran, expression, description):
    outcome = ran(f"import numpy as np\ndef lstm_cell(x, P): return x, {expression}").outcomes["lstm_cell"][0]
    np.testing.assert_array_equal(outcome.returned[0], np.arange(3.0))
    assert outcome.returned[1] == Foreign(description)


def test_a_list_that_holds_itself_comes_to_an_end(ran):
    value = (
        ran("def lstm_cell(x, P):\n    a = []\n    a.append(a)\n    return a")
        .outcomes["lstm_cell"][0]
        .returned
    )
    while isinstance(value, list):
        [value] = value
    assert isinstance(value, Foreign)


def test_arguments_that_a_call_wrote_into_are_named(ran):
    text = """
def lstm_cell(x, P):
    x += 1
    P["W"][0, 0] = 7
    P["new"] = 1
    del P["b"]
    return x
"""
    for outcome in ran(text).outcomes["lstm_cell"]:
        assert outcome.changed == ("x", "P['W']", "P['b']", "P['new']")


def test_no_case_sees_what_another_wrote(ran):
    outcomes = ran("def lstm_cell(x, P):\n    x *= 0\n    return P['b'].sum() + x").outcomes["lstm_cell"]
    assert [outcome.returned.tolist() for outcome in outcomes] == [[6.0] * 3] * 2


def test_a_buffer_used_again_is_seen_by_what_it_held_first_and_later(ran):
    text = """
import numpy as np
buffer = np.empty(3)
def lstm_cell(x, P):
    np.copyto(buffer, x)
    return buffer, x.copy()
"""
    first, last = ran(text).outcomes["lstm_cell"]
    np.testing.assert_array_equal(first.returned[0], [0, 1, 2])
    np.testing.assert_array_equal(first.later[0], [1, 2, 3])
    assert last.later is None


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("np.float64(2.5)", 2.5),
        ("np.float32(0.5)", 0.5),
        ("np.longdouble(0.5)", 0.5),
        ("np.int64(-2)", -2),
        ("np.array(3.0)", 3.0),
        ("np.str_('to be')", "to be"),
        ("2,5", Foreign("a tuple")),
        ("None", Foreign("None")),
        ("[1.0]", Foreign("a list")),
        ("np.zeros(2)", Foreign("a ndarray")),
        ("10**5000", Foreign("an int of very many digits")),
        ("'x' * 5000", Foreign("a text of 5000 characters")),
    ],
)
def test_a_constant_is_a_plain_number_or_text_or_what_it_is_instead(ran, written, told):
    found = ran(f"import numpy as np\nOWN = {written}\ndef lstm_cell(*a): return 0", constants=("OWN",))
    assert found.constants == {"OWN": told}
    assert type(found.constants["OWN"]) is type(told)


def test_constants_functions_and_prints_are_told(ran):
    text = "FORGET_BIAS = 2.5\nTEXT = 'to be'\nOTHER = 1\nprint('a word')\ndef lstm_cell(x, P): return x"
    found = ran(text, names=("lstm_cell", "gru_cell"), constants=("FORGET_BIAS", "TEXT", "ABSENT"))
    assert found.constants == {"FORGET_BIAS": 2.5, "TEXT": "to be"}
    assert found.functions == ("lstm_cell",)
    assert list(found.outcomes) == ["lstm_cell"]
    assert found.printed == "a word\n"


def test_what_stands_under_main_is_not_run(ran):
    found = ran("def lstm_cell(x, P): return 1\nif __name__ == '__main__':\n    import torch")
    assert found.outcomes["lstm_cell"][0].returned == 1


def test_a_fault_in_one_case_leaves_the_others(ran):
    first, second = ran("def lstm_cell(x, P): return 1 / x[0]\n", count=2).outcomes["lstm_cell"]
    assert first.fault is None  # NumPy's own division: a warning, and infinity
    first, second = ran("def lstm_cell(x, P): return 1 // int(x[0])").outcomes["lstm_cell"]
    assert (first.fault.kind, first.fault.line) == ("exception", 1)
    assert second.returned == 1


def test_after_a_function_that_ends_the_process_the_others_are_still_called(ran):
    text = "import os\ndef lstm_cell(x, P):\n    os._exit(0)\ndef gru_cell(x, P): return x"
    found = ran(text, names=("lstm_cell", "gru_cell"))
    assert [outcome.fault.kind for outcome in found.outcomes["lstm_cell"]] == ["exit", "exit"]
    assert [outcome.fault for outcome in found.outcomes["gru_cell"]] == [None, None]


MESSAGE = """
import os, struct, json
def tell(head, blob=b""):
    text = head if isinstance(head, bytes) else json.dumps(head).encode()
    for fd in range(3, 12):
        try:
            os.write(fd, struct.pack("<4sII", b"lgap", len(text), len(blob)) + text + blob)
        except OSError:
            pass
"""


@pytest.mark.parametrize(
    "prank",
    [
        'tell({"tell": "done"})',
        'tell({"tell": "later", "values": []})',
        'tell({"tell": "later", "values": {"list": []}})',
        'tell({"tell": "returned", "value": {"array": ["<f8", [1000000000], False]}})',
        'tell({"tell": "returned", "value": {"array": ["O", [1], False]}}, b"12345678")',
        'tell({"tell": "returned", "value": None})',
        'tell({"tell": "function", "name": "no such"})',
        'tell({"tell": "function", "name": []})',
        'tell({"tell": "met", "met": {"type": 1, "kinds": 2, "shapes": [3], "line": "x", "names": {}}})',
        'tell({"tell": "met", "met": 5})',
        'tell({"tell": "met", "met": {"type": "x" * 10**7}})',
        'tell({"tell": ["a"]})',
        'tell(b"[" * 200000)',
        'tell({"tell": "loaded", "functions": ["lstm_cell"], "constants": {"A": [1]}})',
        'tell({"tell": ["[" * 10**6] * 10})',
        '[tell({"tell": "case"}) for _ in range(5000)]',
        "os.write(1, b'x' * 1000)",
    ],
)
@pytest.mark.parametrize("ending", ["os._exit(0)", "return x"])
def test_messages_of_a_files_own_never_end_the_check_or_make_a_result(ran, prank, ending):
    text = f"{MESSAGE}\ndef lstm_cell(x, P):\n    {prank}\n    {ending}\n"
    found = ran(text)
    outcomes = found.outcomes["lstm_cell"]
    assert len(outcomes) == 2
    for number, outcome in enumerate(outcomes):
        # Either it was seen through, or nothing but what the function returned has come.
        assert outcome.fault or np.array_equal(outcome.returned, np.arange(3.0) + number)


@pytest.mark.parametrize(
    "prank",
    [
        "np.array = np.asarray = np.zeros = lambda *a, **k: 1 / 0",
        "np.testing = None",
        "json.dumps = lambda *a, **k: '{}'",
        "inspect.signature = None",
        "builtins.isinstance = lambda *a: True",
        "builtins.len = lambda *a: 0",
        "struct.Struct = None",
        "sys.stdout = sys.stderr = None",
        "sys.modules.clear()",
        "os._exit = lambda code: None",
        "os.close(1); os.close(2); [os.close(n) for n in range(3, 9)]",
    ],
)
def test_a_file_that_replaces_what_the_check_uses_spoils_its_own_results_alone(ran, prank):
    modules = "import builtins, inspect, json, os, struct, sys\nimport numpy as np"
    found = ran(f"{modules}\n{prank}\ndef lstm_cell(x, P): return x")
    assert found.fault or found.outcomes["lstm_cell"]
    for number, outcome in enumerate(found.outcomes.get("lstm_cell", ())):
        assert outcome.fault or np.array_equal(outcome.returned, np.arange(3.0) + number)


@pytest.mark.parametrize("message", ["b'x' * 10**6", "{'tell': 'nothing'}"])
def test_far_too_many_numbers_or_messages_end_it(ran, message):
    text = f"{MESSAGE}\ndef lstm_cell(x, P):\n    while True:\n        tell({message})\n"
    fault = ran(text).outcomes["lstm_cell"][0].fault
    assert fault.kind == "output"
    assert "far more numbers" in fault.sentence


def test_messages_are_framed_as_the_pranks_above_believe():
    from io import BytesIO

    from core.exercises.apart.messages import write

    stream = BytesIO()
    write(stream, {"tell": "done"}, b"ab")
    text = json.dumps({"tell": "done"}).encode()
    assert stream.getvalue() == struct.pack("<4sII", b"lgap", len(text), 2) + text + b"ab"
