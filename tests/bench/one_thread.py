"""The head of benchmarks against PyTorch. Import it before NumPy, which then has one thread, as PyTorch has."""

import argparse
import os
import platform
import sys
from pathlib import Path
from types import ModuleType

os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["MKL_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np


def begin(description: str, rounds: int, torch: ModuleType | None) -> int:
    """Say what is measured with, and give the rounds that were asked for, or this many."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=rounds, help=f"rounds of each comparison ({rounds})")
    asked = parser.parse_args().rounds
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}"
    print(
        f"{versions}, PyTorch {torch.__version__}" if torch else f"{versions}; without PyTorch no comparison"
    )
    return asked
