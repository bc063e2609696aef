"""What a hostile or a hapless file may not do, and how it ends."""

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import core
from core.exercises.apart import cage
from core.exercises.apart.limits import MEGABYTE, Limits
from core.exercises.apart.running import run
from core.exercises.contract import Case

LONG = Limits()
SHORT = Limits(seconds=1)
CASES = [Case(f"case {k}", {"x": np.arange(3.0)}) for k in range(2)]
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the cage is Linux's")


@pytest.fixture
def fault(tmp_path):
    """The fault of the first call of a function with this body, or of the file that this head ends."""

    def run_body(body, head="", limits=LONG):
        path = tmp_path / "handed.py"
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        path.write_text(f"{head}\ndef lstm_cell(x):\n{lines}", encoding="utf-8")
        found = run(path, {"lstm_cell": CASES}, (), limits)
        return found.fault or found.outcomes["lstm_cell"][0].fault

    return run_body


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
def test_each_kind_of_end_is_told_with_the_own_line(fault, body, kind, line):
    found = fault(body, limits=SHORT if kind == "time" else LONG)
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
def test_a_file_that_cannot_be_loaded_says_why_in_its_first_line(fault, head, kind):
    found = fault("return x", head, SHORT if kind == "time" else LONG)
    assert (found.kind, found.line) in [(kind, 1), (kind, None)]


ACTIONS = [
    "open(OUTSIDE / 'new', 'w')",
    "open(OUTSIDE / 'kept', 'a')",
    "open(OUTSIDE / 'kept').read()",
    "os.open(str(OUTSIDE / 'new'), os.O_CREAT | os.O_WRONLY)",
    "open(os.path.relpath(OUTSIDE / 'new'), 'w')",
    "os.remove(OUTSIDE / 'kept')",
    "os.rename(OUTSIDE / 'kept', 'here')",
    "os.rename('own', OUTSIDE / 'new')",
    "os.mkdir(OUTSIDE / 'new')",
    "os.mkfifo(OUTSIDE / 'new')",
    "os.symlink(OUTSIDE, 'link')",
    "os.link(OUTSIDE / 'kept', 'link')",
    "os.chmod(OUTSIDE / 'kept', 0)",
    "os.truncate(OUTSIDE / 'kept', 0)",
    "os.chdir(OUTSIDE)",
    "open(os.__file__, 'a')",
    "os.open(os.__file__, os.O_WRONLY)",
    "open(np.__file__, 'r+')",
    "os.listdir(OUTSIDE)",
    "os.scandir(OUTSIDE)",
    "np.save(OUTSIDE / 'new', 1)",
    "np.load(OUTSIDE / 'kept')",
    "np.memmap(OUTSIDE / 'new', mode='w+', shape=3)",
    "__import__('sqlite3').connect(OUTSIDE / 'new')",
    "__import__('ctypes').CDLL(None).mkdir(b'new', 0o777)",
    "socket.socket()",
    "socket.create_connection(('127.0.0.1', PORT), 1)",
    "socket.getaddrinfo('localhost', 1)",
    "__import__('http.client').client.HTTPConnection('127.0.0.1', PORT).connect()",
    "os.system('true')",
    "os.fork()",
    "os.execv('/bin/true', ['true'])",
    "os.posix_spawn('/bin/true', ['true'], {})",
    "__import__('subprocess').run(['true'])",
    "__import__('multiprocessing').Process(target=print).start()",
    "__import__('multiprocessing').get_context('spawn').Process(target=print).start()",
    "__import__('_posixsubprocess').fork_exec([b'true'], [b'/bin/true'])",
    "[sys.modules.pop('_posixsubprocess'), __import__('_posixsubprocess')]",
    "__import__('_thread').start_new_thread(print, ())",
    "__import__('threading').Thread(target=print).start()",
    "os.kill(os.getppid(), 0)",
    "os.killpg(0, 0)",
    "__import__('resource').setrlimit(0, (-1, -1))",
    "__import__('core')",
    "__import__('core.cells')",
    "__import__('panel')",
    "__import__('pytest')",
    "open(ROOT / 'core' / 'cells.py').read()",
]
"""What must not be done, in terms of a folder outside, the project's, and a port that somebody listens at."""
TRY_ALL = """
for action in ACTIONS:
    try:
        eval(action)
    except PermissionError:
        pass
    except ModuleNotFoundError:
        assert "__import__" in action
    except RuntimeError:
        assert "thread" in action  # the kernel's own refusal
    else:
        print("DONE", action)
print("all tried")
"""


@pytest.fixture
def reached(tmp_path):
    """Run a file through a function, let it try everything, and give what it printed; nothing may have happened."""
    (tmp_path / "kept").write_text("as it was")

    def try_all(actions, through):
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(0.05)
            path = tmp_path / "handed.py"
            path.write_text(
                f"import os, socket, sys, pathlib\nimport numpy as np\nOUTSIDE = pathlib.Path({str(tmp_path)!r})\n"
                f"ROOT = pathlib.Path({str(Path(core.__file__).parents[1])!r})\nPORT = {server.getsockname()[1]}\n"
                f"open('own', 'w').close()\nACTIONS = {actions!r}\n{TRY_ALL}"
            )
            printed = through(path)
            with pytest.raises(TimeoutError):
                server.accept()
        assert sorted(each.name for each in tmp_path.iterdir()) == ["handed.py", "kept"]
        assert (tmp_path / "kept").read_text() == "as it was"
        return printed

    return try_all


def test_nothing_beyond_the_scratch_folder_can_be_reached(reached):
    printed = reached(ACTIONS, lambda path: run(path, {"lstm_cell": CASES}, (), Limits(seconds=10)).printed)
    assert printed.strip().splitlines()[-1] == "all tried"
    assert "DONE" not in printed


def test_the_guard_alone_keeps_all_of_that_away(reached, tmp_path_factory):
    """As on a system that has no cage."""
    scratch = str(tmp_path_factory.mktemp("scratch"))
    packages = [str(Path(np.__file__).parent)]
    script = (
        "import os, sys, runpy, numpy, sqlite3, ctypes, http.client, multiprocessing, subprocess\n"
        "from core.exercises.apart.guard import set_guard\n"
        f"code = compile(open(sys.argv[1]).read(), 'handed', 'exec')\nos.chdir({scratch!r})\n"
        f"set_guard({scratch!r}, os.path.dirname(os.__file__), {packages!r})\nexec(code, {{}})"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(core.__file__).parents[1])}

    def through(path):
        command = [sys.executable, "-B", "-c", script, str(path)]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        return run.stdout + run.stderr

    # It does not know of pipes with names, nor of threads in older versions; what is loaded already stays.
    absent = ("mkfifo", "'core", "pytest", *(("thread",) if sys.version_info < (3, 12) else ()))
    actions = [action for action in ACTIONS if not any(name in action for name in absent)]
    assert reached(actions, through) == "all tried\n"


def test_the_paths_to_core_that_are_tried_by_hand_lead_nowhere(fault):
    root = str(Path(core.__file__).parents[1])
    found = fault(f"import sys\nsys.path.insert(0, {root!r})\nfrom core.cells import lstm_cell\nreturn 1")
    assert found.kind == "no-import"
    assert "core" in found.sentence


def test_modules_of_the_check_hold_no_core_in_the_process(fault):
    found = fault("import sys\nassert not [name for name in sys.modules if name.startswith('core')]\nexit()")
    assert found.kind == "exit"


def test_neighbours_are_not_there_and_are_named(fault, tmp_path):
    (tmp_path / "helper.py").write_text("ONE = 1")
    found = fault("from helper import ONE\nreturn ONE")
    assert found.kind == "no-import"
    assert "a file beside it" in found.sentence


def test_numpy_and_the_standard_library_are_there(fault):
    modules = (
        "math, dataclasses, functools, itertools, typing, decimal, random, tempfile, unittest, numpy.testing"
    )
    body = "import numpy as np\nassert np.random.default_rng().normal() and np.linalg.norm(np.fft.fft(x))\nexit()"
    assert fault(f"import {modules}\n{body}").kind == "exit"
    assert fault("open('notes', 'w').write('a')\nassert open('notes').read() == 'a'\nexit()").kind == "exit"


def test_the_scratch_folder_is_gone_afterwards(fault, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    fault("import os\nos.mkdir('a')\nopen('a/b', 'w').close()\nos.chmod('a', 0)")
    assert list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="groups of processes are POSIX's")
def test_no_process_is_left_behind(fault):
    code = "while True: pass"
    before = _children()
    for body in (
        code,
        "import os\nos._exit(0)",
        "return x",
        "import os\nos.close(1)\nos.closerange(3, 99)\n" + code,
    ):
        fault(body, limits=SHORT)
    assert _children() == before


@LINUX
def test_the_process_ends_with_the_check_that_started_it(tmp_path):
    path = tmp_path / "handed.py"
    path.write_text("import time\ntime.sleep(60)")
    root = Path(core.__file__).parents[1]
    script = (
        "from pathlib import Path\n"
        "from core.exercises.apart.limits import Limits\n"
        "from core.exercises.apart.running import run\n"
        f"run(Path({str(path)!r}), {{}} or {{'f': []}}, (), Limits(seconds=60))"
    )
    check = subprocess.Popen(
        [sys.executable, "-c", script], cwd=root, env=os.environ | {"TMPDIR": str(tmp_path)}
    )
    try:
        child = _wait(lambda: _children(check.pid))
        _wait(lambda: "exercise-" in os.readlink(f"/proc/{child[0]}/cwd"))
        _wait(lambda: _is_shut_in(child[0]))
    finally:
        check.kill()
        check.wait()
    _wait(lambda: not Path(f"/proc/{child[0]}").exists() or _is_zombie(child[0]))


@LINUX
@pytest.mark.parametrize(
    ("tried", "means"),
    [
        ("open(OUTSIDE, 'w')", "rules"),
        ("open('/etc/passwd')", "rules"),
        ("os.kill(os.getppid(), 0)", "rules"),
        ("socket.create_connection(('127.0.0.1', PORT))", "rules"),
        ("os.fork() or os._exit(0)", "processes"),
        ("threading.Thread(target=print).start()", "processes"),
        ("socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT))", "network"),
    ],
)
def test_on_linux_the_kernel_refuses_too(tmp_path, tried, means):
    """The cage alone, without the guard: what Python would let through, if it were led astray."""
    script = f"""
import ctypes, os, socket, sys, threading
from core.exercises.apart import cage
OUTSIDE = {str(tmp_path / "new")!r}
libc = ctypes.CDLL(None)
there = {{"rules": libc.syscall(444, None, ctypes.c_size_t(0), 1) >= 6}}
if not (child := os.fork()):
    os._exit(libc.unshare(0x70000000) != 0)
there["network"] = there["processes"] = os.waitpid(child, 0)[1] == 0
os.mkdir("scratch")
os.chdir("scratch")
with socket.create_server(("127.0.0.1", 0)) as server:
    PORT = server.getsockname()[1]
    cage.shut_in(os.getcwd(), ["/usr", "/lib", sys.base_prefix])
    open("own", "w").close()
    try:
        {tried}
    except (OSError, RuntimeError):
        print("refused")
    else:
        print("done" if there[{means!r}] else "no means")
"""
    environment = os.environ | {
        "PYTHONPATH": str(Path(core.__file__).parents[1]),
        "OPENBLAS_NUM_THREADS": "1",
    }
    out = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    if "no means" in out.stdout:
        pytest.skip("this kernel does not offer it")
    assert out.stdout == "refused\n", out.stderr


def test_the_environment_of_the_checker_is_not_handed_on(fault, monkeypatch):
    monkeypatch.setenv("A_SECRET", "of the teacher")
    assert fault("import os\nassert 'A_SECRET' not in os.environ\nexit()").kind == "exit"


def test_few_threads_and_little_time_are_taken_for_a_right_file(fault):
    assert fault("import os\nassert os.environ['OPENBLAS_NUM_THREADS'] == '1'\nexit()").kind == "exit"


def test_limits_of_resources_are_silent_where_there_are_none(monkeypatch):
    monkeypatch.setattr(cage, "resource", None)
    cage.limit_resources(MEGABYTE, MEGABYTE, 1.0)
    monkeypatch.setattr(sys, "platform", "win32")
    cage.shut_in("C:\\scratch", [])


@pytest.mark.skipif(os.name != "posix", reason="pipes with names are POSIX's")
def test_what_is_no_ordinary_file_is_never_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")
    thread = threading.Thread(target=run, args=(tmp_path / "pipe.py", {}), daemon=True)
    thread.start()
    thread.join(5)
    assert not thread.is_alive()


def _children(of=None):
    of = of or os.getpid()
    listed = subprocess.run(
        ["ps", "-o", "pid=,comm=", "--ppid", str(of)], capture_output=True, text=True
    ).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if "ps" not in line.split()[1]]


def _is_shut_in(pid):
    return "NoNewPrivs:\t1" in Path(f"/proc/{pid}/status").read_text()


def _is_zombie(pid):
    return "State:\tZ" in Path(f"/proc/{pid}/status").read_text()


def _wait(found, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = found()
        if result:
            return result
        time.sleep(0.02)
    raise AssertionError("it never came")
