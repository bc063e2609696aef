"""Tables: columns on a screen, and cells that no spreadsheet takes for formulas."""

import csv
import io

import pytest

from core.exercises.contract import Checked, Fault
from core.exercises.said.table import Line, aligned, as_csv, lines, text


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
    [line] = lines("a.py", Checked(fault=Fault("time", "It took long.", 3)))
    assert (line.function, line.verdict, line.short) == ("", "stopped", "line 3: It took long.")
