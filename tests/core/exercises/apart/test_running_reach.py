"""What a file that runs cannot reach: others' files, the network, processes, the project."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import core
from core.exercises.apart.limits import Limits
from core.exercises.apart.running import run

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
    printed = reached(ACTIONS, lambda path: run(path, {"lstm_cell": []}, (), Limits(seconds=10)).printed)
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
