"""The command as a student and a teacher use it: what it writes, prints and gives back."""

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

import core
from core.exercises.command import INTERRUPTED, MISUSED, RIGHT, WRONG, main
from core.exercises.contract import NAMES

GOOD = """
import numpy as np
FORGET_BIAS = 3.5

def sigmoid(a):
    return 1 / (1 + np.exp(-a))

def lstm_cell(x, h, c, W, U, b):
    i, f, g, o = np.split(x @ W + h @ U + b, 4, axis=-1)
    c_new = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c_new), c_new
"""
SWAPPED = GOOD.replace("i, f, g, o =", "f, i, g, o =")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder of the test's own, which is the present one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
def test_new_writes_a_file_that_is_not_written_yet(here, name, capsys):
    assert main(["new", name]) == RIGHT
    assert f"check {name}.py" in capsys.readouterr().out
    assert main(["check", f"{name}.py"]) == WRONG
    assert f"{name}: not written yet." in capsys.readouterr().out


def test_new_never_writes_over_a_file(here, capsys):
    (here / "gru_cell.py").write_text("my work")
    assert main(["new", "gru_cell"]) == WRONG
    assert (here / "gru_cell.py").read_text() == "my work"
    assert "left as it is" in capsys.readouterr().err


def test_an_unknown_name_lists_the_five(here, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["new", "grucell"])
    assert stop.value.code == MISUSED
    message = capsys.readouterr().err
    assert all(name in message for name in NAMES)
    assert "is gru_cell meant?" in message
    assert list(here.iterdir()) == []


def test_a_right_file_is_right_and_leads_to_the_lab_with_its_own_numbers(here, capsys):
    (here / "mine.py").write_text(GOOD)
    assert main(["check", "mine.py"]) == RIGHT
    out = capsys.readouterr().out
    assert "\nlstm_cell: right." in out
    assert "?lab=brackets&forget_bias=3.5" in out


def test_a_wrong_file_names_the_mistake_and_the_lab_without_its_numbers(here, capsys):
    (here / "mine.py").write_text(SWAPPED)
    assert main(["check", "mine.py", "--seed", "3"]) == WRONG
    out = capsys.readouterr().out
    assert "lstm_cell: WRONG: the forget and the input gate are swapped." in out
    assert out.rstrip().endswith("/app?lab=brackets")


def test_each_function_of_a_file_is_checked(here, capsys):
    more = "\ndef gru_cell(x, h, W, U, b):\n    raise NotImplementedError\n"
    (here / "mine.py").write_text(GOOD + more)
    assert main(["check", "mine.py"]) == WRONG
    out = capsys.readouterr().out
    assert "lstm_cell: right." in out
    assert "gru_cell: not written yet." in out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def lstmCell(x): return x", "lstm_cell: MISSING."),
        ("def softmax(x): return x", "NOTHING CHECKED. The file defines none of the functions"),
        ("", "NOTHING CHECKED. The file is empty."),
        ("import core", "NOTHING CHECKED. The file imports core"),
        (GOOD.replace("def sigmoid", "def lstm_cell_backwards"), "lstm_cell_backward: MISSING."),
    ],
)
def test_what_is_not_there_is_never_passed_over(here, capsys, text, said):
    (here / "mine.py").write_text(text)
    assert main(["check", "mine.py"]) == WRONG
    assert said in capsys.readouterr().out


def test_a_path_that_is_not_there_is_a_sentence(capsys):
    assert main(["check", "none.py"]) == WRONG
    assert "The file is not there." in capsys.readouterr().out


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


def test_the_solution_is_core_s_own(capsys):
    assert main(["--solution", "gru_cell"]) == RIGHT
    assert "def gru_cell(" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments", [["check"], ["check", "a.py", "--seed", "-1"], ["--solution", "x"], ["grade"]]
)
def test_a_command_that_is_none_ends_with_its_own_code(arguments):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == MISUSED


def test_no_command_at_all_shows_what_there_is(capsys):
    assert main([]) == MISUSED
    out = capsys.readouterr().out
    assert all(
        word in out for word in ("new lstm_cell", "check hand-ins", "--csv", "--solution", "exit code")
    )


def test_an_interrupt_ends_it_without_a_traceback(here, monkeypatch):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("core.exercises.checking.check", interrupt)
    assert main(["check", "a.py"]) == INTERRUPTED


def test_as_a_process_on_a_console_that_knows_ascii_alone(here):
    (here / "mine.py").write_text(SWAPPED.replace("np.tanh(g)", "np.tanh(G)  # Größe"), encoding="utf-8")
    environment = os.environ | {
        "PYTHONPATH": str(Path(core.__file__).parents[1]),
        "PYTHONIOENCODING": "ascii",
    }
    command = [sys.executable, "-m", "core.exercises", "check", "mine.py"]
    run = subprocess.run(command, env=environment, capture_output=True, timeout=60)
    assert run.returncode == WRONG
    assert b"name G" in run.stdout
    assert b"Traceback" not in run.stdout + run.stderr


def test_csv_is_utf8_on_every_console(here):
    (here / "Zoë.py").write_text(GOOD)
    environment = os.environ | {
        "PYTHONPATH": str(Path(core.__file__).parents[1]),
        "PYTHONIOENCODING": "cp1252",
    }
    command = [sys.executable, "-m", "core.exercises", "check", ".", "--csv"]
    run = subprocess.run(command, env=environment, capture_output=True, timeout=60)
    assert run.stdout.decode("utf-8").splitlines()[1] == "Zoë.py,lstm_cell,right,,,"


def test_a_reader_that_has_seen_enough_is_no_traceback(here):
    (here / "mine.py").write_text(GOOD)
    environment = os.environ | {"PYTHONPATH": str(Path(core.__file__).parents[1])}
    command = [sys.executable, "-m", "core.exercises", "check", "mine.py"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait(60) == WRONG
