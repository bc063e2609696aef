"""What a file that runs finds there: NumPy and the standard library, and nothing of the check's."""

from pathlib import Path

import core


def test_the_paths_to_core_that_are_tried_by_hand_lead_nowhere(fault_of):
    root = str(Path(core.__file__).parents[1])
    found = fault_of(f"import sys\nsys.path.insert(0, {root!r})\nfrom core.cells import lstm_cell\nreturn 1")
    assert found.kind == "no-import"
    assert "core" in found.sentence


def test_modules_of_the_check_hold_no_core_in_the_process(fault_of):
    found = fault_of(
        "import sys\nassert not [name for name in sys.modules if name.startswith('core')]\nexit()"
    )
    assert found.kind == "exit"


def test_neighbours_are_not_there_and_are_named(fault_of, tmp_path):
    (tmp_path / "helper.py").write_text("ONE = 1")
    found = fault_of("from helper import ONE\nreturn ONE")
    assert found.kind == "no-import"
    assert "a file beside it" in found.sentence


def test_numpy_and_the_standard_library_are_there(fault_of):
    modules = (
        "math, dataclasses, functools, itertools, typing, decimal, random, tempfile, unittest, numpy.testing"
    )
    body = "import numpy as np\nassert np.random.default_rng().normal() and np.linalg.norm(np.fft.fft(x))\nexit()"
    assert fault_of(f"import {modules}\n{body}").kind == "exit"
    assert (
        fault_of("open('notes', 'w').write('a')\nassert open('notes').read() == 'a'\nexit()").kind == "exit"
    )


def test_the_environment_of_the_checker_is_not_handed_on(fault_of, monkeypatch):
    monkeypatch.setenv("A_SECRET", "of the teacher")
    assert fault_of("import os\nassert 'A_SECRET' not in os.environ\nexit()").kind == "exit"


def test_few_threads_and_little_time_are_taken_for_a_right_file(fault_of):
    assert fault_of("import os\nassert os.environ['OPENBLAS_NUM_THREADS'] == '1'\nexit()").kind == "exit"
