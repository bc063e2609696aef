"""The command as a student and a teacher use it: what it writes, prints and gives back."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import core
from core.exercises.calling import MODULE, PYTHON, python
from core.exercises.command import INTERRUPTED, MISUSED, RIGHT, WRONG, main
from core.exercises.contract import NAMES
from tests.core.exercises.handed_in import GOOD, SWAPPED

pytestmark = pytest.mark.usefixtures("here")


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
    assert "?lab=cells&cell=lstm&arrangement=single&step=3&forget_3=0.35" in out


def test_a_number_of_numpys_is_given_and_one_that_is_not_is_told(here, capsys):
    (here / "mine.py").write_text(GOOD.replace("0.35", "np.float64(0.35)"))
    assert main(["check", "mine.py"]) == RIGHT
    assert "&forget_3=0.35" in capsys.readouterr().out
    (here / "mine.py").write_text(GOOD.replace("0.35", "0,35"))
    assert main(["check", "mine.py"]) == RIGHT
    out = " ".join(capsys.readouterr().out.split())
    assert (
        "FORGET_GATE was left out of the address: a number from 0.01 to 0.99 is expected, got a tuple" in out
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("http://school.example:5006", "http://school.example:5006/app?lab="),
        ("https://school.example/", "https://school.example/app?lab="),
        ("http://localhost:5007/app", "http://localhost:5007/app?lab="),
        ("http://[::1]:5007/labs/app/", "http://[::1]:5007/labs/app?lab="),
    ],
)
def test_the_address_is_on_the_schools_server(here, capsys, monkeypatch, given, said):
    (here / "mine.py").write_text(GOOD)
    assert main(["check", "mine.py", "--server", given]) == RIGHT
    assert f"\n  {said}" in capsys.readouterr().out
    monkeypatch.setenv("LONG_GAP_SERVER", given)
    assert main(["check", "mine.py"]) == RIGHT
    assert f"\n  {said}" in capsys.readouterr().out
    assert main(["check", "mine.py", "--server", "http://other:80"]) == RIGHT
    assert "\n  http://other:80/app?lab=" in capsys.readouterr().out


@pytest.mark.parametrize(
    "given",
    ["school.example:5006", "http://", "http://a:x", "http://a/app?lab=echo", "ftp://a", "http://a b"],
)
def test_a_server_that_is_none_is_a_sentence(here, capsys, monkeypatch, given):
    for arguments, variable in ((["--server", given], ""), ([], given)):
        monkeypatch.setenv("LONG_GAP_SERVER", variable)
        with pytest.raises(SystemExit) as stop:
            main(["check", "mine.py", *arguments])
        assert stop.value.code == MISUSED
        assert f"such as http://school.example:5006, not '{given}'" in capsys.readouterr().err


def test_a_wrong_file_names_the_mistake_and_the_lab_without_its_numbers(here, capsys):
    (here / "mine.py").write_text(SWAPPED)
    assert main(["check", "mine.py", "--seed", "3"]) == WRONG
    out = capsys.readouterr().out
    assert "lstm_cell: WRONG: the forget and the input gate are swapped." in out
    assert out.rstrip().endswith("/app?lab=cells&cell=lstm&arrangement=single&step=3")


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


def test_a_python_without_numpy_is_a_sentence(here):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["PYTHONPATH"] = str(Path(core.__file__).parents[1])
    # Without site-packages, -S, there is no NumPy.
    line = [sys.executable, "-S", "-m", "core.exercises", "--help"]
    run = subprocess.run(line, env=environment, capture_output=True, text=True, timeout=60)
    assert run.returncode == WRONG
    assert (run.stdout, run.stderr) == ("", f"NumPy is missing here: run it with {python()}.\n")


@pytest.mark.skipif(os.name == "nt", reason="the README's Python is elsewhere on Windows")
@pytest.mark.parametrize("is_in_the_project", [True, False])
def test_help_and_what_a_new_file_says_name_the_python_that_works_here(here, capsys, is_in_the_project):
    if is_in_the_project:
        (here / PYTHON).parent.mkdir(parents=True)
        (here / PYTHON).touch()
    called = f"{PYTHON if is_in_the_project else shlex.quote(sys.executable)} {MODULE}"
    assert main(["new", "gru_cell"]) == RIGHT
    assert f"check it with: {called} check gru_cell.py" in capsys.readouterr().out
    assert main([]) == MISUSED
    out = capsys.readouterr().out
    assert f"usage: {called} [" in " ".join(out.split())  # a long path has the line to itself
    assert f"  {called} new lstm_cell\n" in out
    assert "The functions: rnn_forward, rnn_bptt, lstm_cell, lstm_cell_backward, gru_cell.\n" in out


def test_as_a_process_on_a_console_that_knows_ascii_alone(here):
    (here / "mine.py").write_text(SWAPPED.replace("np.tanh(g)", "np.tanh(G)  # Größe"), encoding="utf-8")
    environment = os.environ | {
        "PYTHONPATH": str(Path(core.__file__).parents[1]),
        "PYTHONIOENCODING": "ascii",
    }
    line = [sys.executable, "-m", "core.exercises", "check", "mine.py"]
    run = subprocess.run(line, env=environment, capture_output=True, timeout=60)
    assert run.returncode == WRONG
    assert b"name G" in run.stdout
    assert b"Traceback" not in run.stdout + run.stderr


def test_a_reader_that_has_seen_enough_is_no_traceback(here):
    (here / "mine.py").write_text(GOOD)
    environment = os.environ | {"PYTHONPATH": str(Path(core.__file__).parents[1])}
    line = [sys.executable, "-m", "core.exercises", "check", "mine.py"]
    process = subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait(60) == WRONG
