"""The command on the hand-ins of a class: tables for a screen and for a spreadsheet."""

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

import core
from core.exercises.command import RIGHT, WRONG, main
from tests.core.exercises.handed_in import GOOD, SWAPPED

pytestmark = pytest.mark.usefixtures("here")


def hand_ins(folder):
    texts = {
        "anna.py": GOOD,
        "ben.py": SWAPPED,
        "carl/=2+3.py": "while True: print('x' * 100_000)",
        "dora.py": "def lstm_cell(x, h, c, W, U, b):\n    return x +\n",
        "emil.py": "import os\nos._exit(0)",
        "zoe.py": GOOD,
        ".hidden/a.py": GOOD,
        "essay.docx": "",
    }
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def test_a_folder_makes_a_table_in_which_no_file_stops_another(here, capsys):
    hand_ins(here)
    assert main(["check", "."]) == WRONG
    out, err = capsys.readouterr()
    rows = [line.split() for line in out.splitlines()[1:7]]
    assert [row[0] for row in rows] == ["anna.py", "ben.py", "carl/=2+3.py", "dora.py", "emil.py", "zoe.py"]
    assert rows[0][1:3] == ["lstm_cell", "right"]
    assert "the forget and the input gate are swapped" in out.splitlines()[2]
    assert "printed more than 1 MB" in out.splitlines()[3]
    assert rows[5][2] == "right"
    assert "Files: 6. All right: 2. Not right, or not all checked: 4." in out
    assert "essay.docx" in err
    assert all(len(line) <= 100 for line in out.splitlines())


def test_csv_can_be_read_and_calculates_nothing(here, capsys):
    hand_ins(here)
    (here / "=1+1.py").write_text("")
    (here / "@sum.py").write_text("")
    assert main(["check", ".", "--csv"]) == WRONG
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["file"] for row in rows][:3] == ["'=1+1.py", "'@sum.py", "anna.py"]
    by_file = {row["file"]: row for row in rows}
    assert by_file["anna.py"]["verdict"] == "right"
    assert by_file["ben.py"]["mistakes"] == "the forget and the input gate are swapped"
    assert (by_file["dora.py"]["verdict"], by_file["dora.py"]["line"]) == ("not readable", "2")


def test_files_that_are_all_right_give_no_fault(here, capsys):
    for name in ("a.py", "b.py"):
        (here / name).write_text(GOOD)
    assert main(["check", "a.py", "b.py"]) == RIGHT
    assert "All right: 2." in capsys.readouterr().out
    assert main(["check", "a.py", "--csv"]) == RIGHT
    assert capsys.readouterr().out.splitlines()[1] == "a.py,lstm_cell,right,,,"


def test_an_empty_folder_is_not_right(here, capsys):
    (here / "empty").mkdir()
    assert main(["check", "empty"]) == WRONG
    assert "no file that ends in .py" in capsys.readouterr().err


def test_csv_is_utf8_on_every_console(here):
    (here / "Zoë.py").write_text(GOOD)
    environment = os.environ | {
        "PYTHONPATH": str(Path(core.__file__).parents[1]),
        "PYTHONIOENCODING": "cp1252",
    }
    line = [sys.executable, "-m", "core.exercises", "check", ".", "--csv"]
    run = subprocess.run(line, env=environment, capture_output=True, timeout=60)
    assert run.stdout.decode("utf-8").splitlines()[1] == "Zoë.py,lstm_cell,right,,,"


MOODLE = "_1234567_assignsubmission_file/lstm_cell.py"


def test_names_are_told_within_the_folder_and_keep_the_students(here, capsys):
    for student in ("Anna Schmidt", "Anna Schulz"):
        path = here / "a folder of the second term" / f"{student}{MOODLE}"
        path.parent.mkdir(parents=True)
        path.write_text(GOOD)
    assert main(["check", "a folder of the second term"]) == RIGHT
    out = capsys.readouterr().out
    assert [line.split("_")[0] for line in out.splitlines()[1:3]] == ["Anna Schmidt", "Anna Schulz"]
    assert main(["check", "a folder of the second term", "--csv"]) == RIGHT
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["file"] for row in rows] == [f"Anna Schmidt{MOODLE}", f"Anna Schulz{MOODLE}"]


def test_files_of_several_folders_keep_their_folders(here, capsys):
    for name in ("one/a.py", "two/a.py"):
        (here / name).parent.mkdir()
        (here / name).write_text(GOOD)
    assert main(["check", "one", "two"]) == RIGHT
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:3]] == ["one/a.py", "two/a.py"]


def test_files_without_any_of_the_functions_have_their_rows_in_both_tables(here, capsys):
    (here / "anna.py").write_text(GOOD)
    for name in ("helper.py", "notes.py"):
        (here / name).write_text("def softmax(x): return x")
    assert main(["check", "."]) == WRONG
    out = capsys.readouterr().out
    for name, line in zip(("helper.py", "notes.py"), out.splitlines()[2:4], strict=True):
        assert line.split(maxsplit=2) == [name, "missing", "none of the five functions is in it"]
    assert out.count("helper.py") == 1
    assert "Files: 3. All right: 1. Not right, or not all checked: 2." in out
    assert main(["check", ".", "--csv"]) == WRONG
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["file"], row["verdict"]) for row in rows][1:] == [
        ("helper.py", "missing"),
        ("notes.py", "missing"),
    ]


def test_a_long_remark_of_the_table_is_given_whole(here, capsys):
    (here / "anna.py").write_text("def lstm_cell(x, h, c, W, U, b):\n    raise ValueError('a word ' * 30)\n")
    assert main(["check", "."]) == WRONG
    out = capsys.readouterr().out
    assert " ".join(out.split()).count("a word") == 30
    assert "…" not in out
    assert all(len(line) <= 100 for line in out.splitlines())


def test_every_remark_says_what_it_speaks_of(here, capsys):
    (here / "anna.py").write_text("def lstm_cell(x, h, c, W, U, b):\n    raise NotImplementedError\n")
    (here / "ben.py").write_text("def gru_cell(x, h, W, U, b):\n    return 1 / 0\n")
    assert main(["check", "."]) == WRONG
    out = capsys.readouterr().out
    assert "line 2: lstm_cell is not written yet." in out
    assert "line 2: gru_cell stopped with a ZeroDivisionError" in out


@pytest.mark.parametrize("is_terminal", [True, False])
def test_progress_is_told_on_a_terminal_alone(here, capsys, monkeypatch, is_terminal):
    for name in ("a.py", "b.py"):
        (here / name).write_text(GOOD)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    assert main(["check", "."]) == RIGHT
    said = "\rChecked: 0 of 2 \rChecked: 1 of 2 \rChecked: 2 of 2 \n"
    assert capsys.readouterr().err == (said if is_terminal else "")
