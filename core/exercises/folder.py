"""The check of a whole class: which files there are, and all of them in parallel over the processors."""

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path

from core.exercises.apart.limits import Limits
from core.exercises.checking import check
from core.exercises.contract import Checked, Fault

_BLAS_THREADS = ("BLIS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
_DEFAULT = Limits()
_PROJECT = Path(__file__).resolve().parents[2]
_PROJECTS_FOLDERS = tuple(_PROJECT / name for name in ("app", "assets", "core", "tests", "widgets"))
_PROJECTS_FILES = tuple(
    _PROJECT / name for name in ("CONTRIBUTING.md", "LICENSE", "README.md", "pyproject.toml")
)


def hand_ins(folder: Path) -> tuple[list[Path], list[Path]]:
    """All Python files in a folder and in those below it, sorted, and the other files there.

    Folders that hold no hand-ins are passed over: hidden ones, caches, environments, what pip keeps of a
    package, and this project's own; so are its texts. A folder that is a link is not followed, and counts among the
    other files.
    """
    python, others = [], []
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if _may_hold_hand_ins(Path(parent, name)))
        others += [Path(parent, name) for name in folders if Path(parent, name).is_symlink()]
        for name in sorted(files):
            path = Path(parent, name)
            if not name.startswith(".") and path.resolve() not in _PROJECTS_FILES:
                (python if name.lower().endswith(".py") else others).append(path)
    return sorted(python), sorted(others)


def check_all(
    paths: Sequence[Path], seed: int = 0, limits: Limits = _DEFAULT, workers: int | None = None
) -> Iterator[Checked]:
    """What is said about each file, in their order; a bad one never stops the others."""
    workers = min(workers or _processors(), len(paths))
    one = partial(check, seed=seed, limits=limits)
    if workers <= 1:
        yield from map(one, paths)
        return
    # The workers calculate side by side: each with a thread of its own, no more.
    os.environ |= {name: "1" for name in _BLAS_THREADS if name not in os.environ}
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _leave_interrupts) as pool:
        futures = [pool.submit(one, path) for path in paths]
        try:
            for future in futures:
                yield _result(future)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _result(future: Future) -> Checked:
    try:
        return future.result()
    except (Exception, BrokenProcessPool) as error:
        sentence = f"The check itself failed on this file ({type(error).__name__})."
        return Checked(fault=Fault("crash", sentence, hint="Check it alone."))


def _leave_interrupts() -> None:
    """Ctrl-C is for the command, which then ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _processors() -> int:
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def _may_hold_hand_ins(folder: Path) -> bool:
    if folder.name.startswith((".", "__")) or folder.name.endswith(".egg-info"):
        return False
    if (folder / "pyvenv.cfg").exists():
        return False
    return folder.resolve() not in _PROJECTS_FOLDERS
