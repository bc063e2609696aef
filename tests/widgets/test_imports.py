"""Parts of `widgets` import one way: a lab, the figures, what both rest on; the live page knows them, none knows it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHARED = ("base", "figures", "work", "page")
FORBIDDEN = {
    "base": {"figures", "work", "page", "live"},
    "figures": {"work", "page", "live"},
    "work": {"figures", "page", "live"},
    "page": {"work", "live"},
    "labs": {"work", "page", "live"},
}
LABS = [path.name for path in (ROOT / "widgets").iterdir() if (path / "lab.py").exists()]

EVERY_LAB = """
import sys
from core.exercises.contract import NAMES
from widgets.catalogue import LABS
from widgets.exercises.handouts import handouts

for name in NAMES:
    handouts(name)
print(*(module for module in sys.modules if module.startswith("core.exercises.")))
"""


def imported(folder: Path) -> set[str]:
    sources = [path.read_text(encoding="utf-8") for path in folder.glob("*.py")]
    return {name for source in sources for name in re.findall(r"^from widgets\.(\w+)", source, re.M)}


def test_the_labs_are_found():
    assert {"jacobians", "brackets", "cliff", "gates", "bptt"} <= set(LABS)


@pytest.mark.parametrize("part", SHARED)
def test_shared_parts_import_one_way_and_know_no_lab(part):
    found = imported(ROOT / "widgets" / part)
    assert not found & (FORBIDDEN[part] | set(LABS) | {"echo", "catalogue"})


@pytest.mark.parametrize("lab", LABS)
def test_a_lab_knows_neither_its_page_nor_another_lab(lab):
    found = imported(ROOT / "widgets" / lab)
    assert not found & (FORBIDDEN["labs"] | set(LABS) - {lab} | {"echo", "catalogue"})


def test_the_server_does_not_even_load_what_runs_a_file():
    run = subprocess.run(
        [sys.executable, "-c", EVERY_LAB], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = {name.split(".")[2] for name in run.stdout.split()}
    assert "judged" in loaded
    assert not loaded & {"apart", "checking", "folder", "command"}
