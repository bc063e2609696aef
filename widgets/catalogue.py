"""The list of labs, in the order of the navigation."""

from widgets.bptt.lab import BpttLab
from widgets.brackets.lab import BracketLab
from widgets.cells.lab import CellLab
from widgets.cliff.lab import CliffLab
from widgets.cost.lab import CostLab
from widgets.dropout.lab import DropoutLab
from widgets.echo import EchoLab
from widgets.exercises.lab import ExerciseLab
from widgets.gates.lab import GateLab
from widgets.jacobians.lab import JacobianLab
from widgets.lab import Lab
from widgets.training.lab import TrainingLab

LABS: tuple[type[Lab], ...] = (
    EchoLab,
    JacobianLab,
    BracketLab,
    CliffLab,
    GateLab,
    BpttLab,
    TrainingLab,
    CellLab,
    CostLab,
    DropoutLab,
    ExerciseLab,
)


def find(slug: str) -> type[Lab] | None:
    """The lab of that slug."""
    return next((lab for lab in LABS if lab.slug == slug), None)
