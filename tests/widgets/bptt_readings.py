"""The BPTT lab at given settings, its network and its tiles, for the tests of its parts."""

from functools import partial

from tests.widgets import lab_readings as readings
from widgets.bptt.lab import AGREEMENT, BpttLab
from widgets.bptt.reading import Network, token_ids

lab_with = partial(readings.lab_with, BpttLab)
preset_lab = partial(readings.preset_lab, BpttLab)


def model(cell="rnn", hidden_size=16, spectral_radius=0.9, seed=0):
    ids, vocabulary = token_ids(AGREEMENT.split())
    return Network(cell, hidden_size, spectral_radius, seed).parameters(vocabulary), ids


def tiles(lab: BpttLab) -> dict[tuple[int, int], float]:
    columns = lab.compute().columns["tiles"]
    return dict(
        zip(zip(columns["t"].tolist(), columns["s"].tolist(), strict=True), columns["log10"], strict=True)
    )
