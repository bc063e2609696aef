"""A class's hand-ins: which files they are, and that each gets its own result."""

from pathlib import Path

import core
from core.exercises import checking, folder
from core.exercises.contract import Row, Verdict
from core.exercises.folder import check_all, hand_ins


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


def test_links_among_the_hand_ins_lead_nowhere(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.py").write_text("def gru_cell(x, h, W, U, b): return h")
    class_ = tmp_path / "class"
    class_.mkdir()
    (class_ / "file.py").symlink_to(tmp_path / "elsewhere" / "a.py")
    (class_ / "folder").symlink_to(tmp_path / "elsewhere")
    python, others = hand_ins(class_)
    assert [path.name for path in others] == ["folder"]
    [checked] = check_all(python)
    assert "is a link" in checked.fault.sentence


def test_the_projects_own_folders_hold_no_hand_ins(tmp_path, monkeypatch):
    project = Path(core.__file__).parents[1]
    for name in ("app", "assets", "core", "tests", "widgets"):
        (tmp_path / name).symlink_to(project / name)
    (tmp_path / "hand-ins").mkdir()
    (tmp_path / "hand-ins" / "core").mkdir()
    (tmp_path / "hand-ins" / "core" / "a.py").touch()
    python, others = hand_ins(tmp_path)
    assert [str(path.relative_to(tmp_path)) for path in python] == ["hand-ins/core/a.py"]
    assert others == []
    inside = {path.relative_to(project).parts[0] for path in hand_ins(project)[0]}
    assert not inside & {"app", "assets", "core", "tests", "widgets"}


def test_of_the_projects_own_folder_only_hand_ins_are_left(tmp_path, monkeypatch):
    """Beside what pip writes there, a student's notes are told of: they may be a hand-in of another kind."""
    own = ("README.md", "CONTRIBUTING.md", "LICENSE", "pyproject.toml", "long_gap.egg-info/PKG-INFO")
    for name in (*own, "anna.py", "notes.txt", "class/README.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.setattr(
        folder, "_PROJECTS_FILES", tuple(tmp_path / path.name for path in folder._PROJECTS_FILES)
    )
    python, others = hand_ins(tmp_path)
    assert [path.name for path in python] == ["anna.py"]
    assert [str(path.relative_to(tmp_path)) for path in others] == ["class/README.md", "notes.txt"]
    project = Path(core.__file__).parents[1]
    assert all((project / path.name).is_file() for path in folder._PROJECTS_FILES)


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
