"""Tables: columns on a screen, and cells that no spreadsheet takes for formulas."""

import csv
import io

import pytest

from core.exercises.contract import Checked, Fault
from core.exercises.said.table import Line, aligned, as_csv, lines, shortened, text


def test_columns_stand_under_each_other_within_the_width():
    rows = aligned([("a", "bb", "c"), ("aaa", "b", "long " * 12), ("a", "", "")], 40)
    assert rows == [
        "a    bb  c",
        "aaa  b   long long long long long long",
        "         long long long long long long",
        "a",
    ]


def test_the_last_column_has_room_however_wide_the_others_are():
    rows = aligned([("n" * 200, "the forget gate is wrong")], 100)
    assert rows == [f"{'n' * 200}  the forget gate is wrong"]


def test_a_long_name_keeps_the_student_and_the_exercise():
    rest = "_1234567_assignsubmission_file/lstm_cell.py"
    names = [f"{student}{rest}" for student in ("Anna Schmidt", "Anna Schulz", "Ben")]
    assert shortened([*names, "a.py"]) == [
        "Anna Schmidt_1234567_a…/lstm_cell.py",
        "Anna Schulz_1234567_as…/lstm_cell.py",
        "Ben_1234567_assignsubm…/lstm_cell.py",
        "a.py",
    ]


def test_a_name_is_shortened_only_so_far_that_names_stay_different():
    folder = "Exercises of the second week of the term"
    names = [f"{folder}/{student}/lstm_cell.py" for student in ("Anna Schmidt", "Anna Schulz", "Anna Schulz")]
    assert shortened(names) == [
        f"{folder}/Anna Schm…/lstm_cell.py",
        f"{folder}/Anna Schu…/lstm_cell.py",
        f"{folder}/Anna Schu…/lstm_cell.py",
    ]


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
