"""A class's hand-ins: which files they are, and that each gets its own result."""

import csv
import io

import pytest

from core.exercises import checking, folder
from core.exercises.checking import Checked
from core.exercises.contract import Fault, Row, Verdict
from core.exercises.folder import check_all, hand_ins
from core.exercises.table import Line, aligned, as_csv, text


def test_hand_ins_are_all_python_files_but_those_of_environments_and_caches(tmp_path):
    for name in (
        "b.py",
        "A.PY",
        "sub/a.py",
        "notes.txt",
        ".git/x.py",
        "__pycache__/x.py",
        "env/lib/x.py",
        ".x.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "env" / "pyvenv.cfg").touch()
    python, others = hand_ins(tmp_path)
    assert [str(path.relative_to(tmp_path)) for path in python] == ["A.PY", "b.py", "sub/a.py"]
    assert [path.name for path in others] == ["notes.txt"]


def test_results_come_in_the_order_of_the_files_from_several_workers(tmp_path):
    texts = ["", "import time\ntime.sleep(0.3)", "def f(:", "1 / 0"]
    paths = [tmp_path / f"{number}.py" for number in range(len(texts))]
    for path, each in zip(paths, texts, strict=True):
        path.write_text(each)
    faults = [checked.fault.kind for checked in check_all(paths, workers=2)]
    assert faults == ["not-python", "missing", "not-python", "exception"]


def test_a_check_that_fails_itself_is_a_result_too(monkeypatch, tmp_path):
    class Broken:
        def result(self):
            raise RuntimeError("of the pool")

    assert "RuntimeError" in folder._result(Broken()).fault.sentence


def test_a_diagnosis_that_fails_leaves_the_function_unchecked(monkeypatch, tmp_path):
    def fail(*arguments):
        raise ZeroDivisionError

    monkeypatch.setattr(checking, "diagnose", fail)
    path = tmp_path / "a.py"
    path.write_text("def gru_cell(x, h, W, U, b): return h")
    [verdict] = checking.check(path).verdicts
    assert not verdict.right
    assert "ZeroDivisionError" in verdict.unchecked[0]


def test_a_call_that_came_to_nothing_is_never_right_whatever_the_diagnosis(monkeypatch, tmp_path):
    value = Row("h_new", (4,), (4,), 0.0, right=True)
    monkeypatch.setattr(checking, "diagnose", lambda name, *rest: Verdict(name, (value,)))
    path = tmp_path / "a.py"
    path.write_text("def gru_cell(x, h, W, U, b): return h[0, 0]")
    [verdict] = checking.check(path).verdicts
    assert verdict.fault.kind == "exception"
    assert not verdict.right


def test_columns_stand_under_each_other_within_the_width():
    rows = aligned([("a", "bb", "c"), ("aaa", "b", "long " * 30)], 40)
    assert rows[0] == "a    bb  c"
    assert rows[1].startswith("aaa  b   long")
    assert len(rows[1]) == 40
    assert rows[1].endswith("…")


@pytest.mark.parametrize(
    "name", ["=cmd|' /C calc'!A0.py", "+1.py", "-1.py", "@x.py", "＝1.py", " =1.py", "\t=1.py"]
)
def test_no_cell_begins_as_a_formula(name):
    [_, row] = csv.reader(io.StringIO(as_csv([Line(name, "", "wrong", name, name, 1)])))
    assert all(row[column].startswith("'") for column in (0, 3, 4))


def test_breaks_and_commas_in_names_stay_within_their_cell():
    rows = list(csv.reader(io.StringIO(as_csv([Line('a,"b"\nc.py', "", "right")]))))
    assert [len(row) for row in rows] == [6, 6]
    assert rows[1][0] == 'a,"b"\\nc.py'
    assert len(text([Line("a\nb.py", "", "right")], 100).splitlines()) == 2


def test_a_fault_of_the_whole_file_has_a_line_without_a_function():
    from core.exercises.table import lines

    [line] = lines("a.py", Checked(fault=Fault("time", "It took long.", 3)))
    assert (line.function, line.verdict, line.short) == ("", "stopped", "line 3: It took long.")
