import subprocess
import sys
from pathlib import Path

import core

SCRIPT = """
import importlib, pkgutil, sys

at_start = {name.split(".")[0] for name in sys.modules}  # a system's own sitecustomize, for one
for name in ("panel", "bokeh", "param", "widgets", "app"):
    sys.modules[name] = None

import core
names = [module.name for module in pkgutil.walk_packages(core.__path__, "core.")]
for name in names:
    importlib.import_module(name)

known = set(sys.stdlib_module_names) | {"core", "numpy", "__main__"}
top = {name.split(".")[0] for name, module in sys.modules.items() if getattr(module, "__file__", None)}
print(len(names), sorted(name for name in top - known - at_start if not name.startswith("_")))
"""


def test_core_imports_with_numpy_alone():
    root = Path(core.__file__).parents[1]
    modules = len(list((root / "core").rglob("*.py"))) - 1
    run = subprocess.run([sys.executable, "-c", SCRIPT], cwd=root, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == f"{modules} []"
