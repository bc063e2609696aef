"""How a hostile or a hapless file ends, and what is said of it."""

import os

import pytest


@pytest.mark.parametrize(
    ("body", "kind", "line"),
    [
        ("while True: pass", "time", 3),
        ("while True:\n    try:\n        x + 1\n    except:\n        pass", "time", None),
        ("import time\ntime.sleep(60)", "time", 4),
        ("import signal\nsignal.signal(signal.SIGABRT, signal.SIG_IGN)\nwhile True: pass", "time", None),
        ("while True: print('x' * 1000)", "output", 3),
        ("import os\nwhile True: os.write(2, b'x' * 1000)", "output", 4),
        ("exit()", "exit", 3),
        ("quit(0)", "exit", 3),
        ("import sys\nsys.exit()", "exit", 4),
        ("raise SystemExit", "exit", 3),
        ("import os\nos._exit(0)", "exit", None),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "crash", None),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", "crash", 4),
        ("return lstm_cell(x)", "exception", 3),
        ("return [0] * 10 ** 12", "memory", 3),
        ("import numpy as np\nreturn np.ones((10 ** 5, 10 ** 5))", "memory", 4),
        ("import numpy as np\nreturn [np.empty(10 ** 7) for _ in range(10 ** 5)]", "memory", 4),
        ("return input()", "exception", 3),
        ("raise KeyboardInterrupt", "exception", 3),
        ("raise NotImplementedError", "unwritten", 3),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="signals and limits are POSIX's")
def test_each_kind_of_end_is_told_with_the_own_line(fault_of, body, kind, line):
    found = fault_of(body, hurried=kind == "time")
    assert found.kind == kind
    assert line in (None, found.line)
    if found.line:
        assert found.source in body
    assert "core/exercises" not in found.sentence + found.hint


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("while True: pass", "time"),
        ("import sys; sys.exit(0)", "exit"),
        ("import os; os._exit(0)", "exit"),
        ("print('x' * 3_000_000)", "output"),
        ("1 / 0", "exception"),
        ("import torch", "no-import"),
        ("def f(:", "not-python"),
        ("(" * 500 + ")" * 500, "not-python"),
        ("raise NotImplementedError", "exception"),
    ],
)
def test_a_file_that_cannot_be_loaded_says_why_in_its_first_line(fault_of, head, kind):
    found = fault_of("return x", head, hurried=kind == "time")
    assert (found.kind, found.line) in [(kind, 1), (kind, None)]
