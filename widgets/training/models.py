"""Small trained nets that come with the project, so that there is something to look into at once.

    python -m widgets.training.models toy

trains the net of one corpus (toy, brackets, agreement or prose) and writes it to `assets/models`.
"""

import argparse
import io
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from core.text import Vocabulary
from core.training import TrainingSettings, train
from core.validation import one_of
from widgets.training.corpora import corpus_text
from widgets.training.snapshot import Model

_FOLDER = Path(__file__).parents[2] / "assets" / "models"


@dataclass(frozen=True)
class Recipe:
    """How the net of a corpus was made, beside the lab's defaults."""

    steps: int
    hidden_size: int = 64
    learning_rate: float = 0.01


RECIPES = {
    "toy": Recipe(300),
    "brackets": Recipe(1500, hidden_size=96, learning_rate=0.005),
    "agreement": Recipe(2500, hidden_size=96, learning_rate=0.005),
    "prose": Recipe(400, hidden_size=96, learning_rate=0.005),
}


@cache
def shipped(corpus: str) -> Model | None:
    """The net that comes with a corpus; None for a visitor's own."""
    path = _FOLDER / f"{corpus}.npz"
    if not path.exists():
        return None
    with np.load(path, allow_pickle=False) as held:
        arrays = dict(held)
    characters = arrays.pop("characters").tobytes().decode()
    number = int(arrays.pop("number"))
    return Model(arrays, Vocabulary(tuple(characters)), number, "that comes with this corpus")


def make(corpus: str) -> bytes:
    """Train the net of a corpus; its weights, vocabulary and number of steps as an .npz file.

    Raises ValueError for a corpus without a recipe.
    """
    recipe = RECIPES[one_of("corpus", corpus, RECIPES)]
    settings = TrainingSettings(
        corpus_text(corpus), hidden_size=recipe.hidden_size, learning_rate=recipe.learning_rate
    )
    state = next(step.state for step in train(settings) if step.number == recipe.steps)
    file = io.BytesIO()
    np.savez(
        file,
        characters=np.frombuffer("".join(settings.vocabulary.characters).encode(), np.uint8),
        number=state.number,
        **state.parameters,
    )
    return file.getvalue()


def main(corpora: Sequence[str]) -> None:
    """Write the nets of these corpora, in a process with one thread: more slow such small matrices down."""
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        environment = os.environ | dict.fromkeys(
            ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"
        )
        subprocess.run(
            [sys.executable, "-m", "widgets.training.models", *corpora], env=environment, check=True
        )
        return
    for corpus in corpora:
        _FOLDER.mkdir(exist_ok=True)
        (_FOLDER / f"{corpus}.npz").write_bytes(make(corpus))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train nets of assets/models anew.")
    parser.add_argument("corpus", nargs="*", help=f"of {', '.join(RECIPES)}; all if none is named")
    wanted = parser.parse_args().corpus or list(RECIPES)
    if unknown := [corpus for corpus in wanted if corpus not in RECIPES]:
        parser.error(f"there is no corpus {unknown[0]!r}; these are: {', '.join(RECIPES)}")
    main(wanted)
