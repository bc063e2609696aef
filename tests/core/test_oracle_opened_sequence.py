"""Opened layers, stacked and both ways, against PyTorch's, where the `oracle` extra is installed."""

import numpy as np
import pytest

from core.initialisation import CellWeights
from core.opened_sequence import read_both_ways, read_stacked

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install -e ".[test,oracle]"')

LAYERS = {"rnn": torch.nn.RNN, "lstm": torch.nn.LSTM, "gru": torch.nn.GRU}
INPUTS = np.random.default_rng(0).normal(size=(5, 3))


def weights(layer, suffix):
    """One part's weights; the recurrent bias of a GRU's candidate, which stands inside the reset gate, is set to 0."""
    b_hh = getattr(layer, f"bias_hh_{suffix}")
    if isinstance(layer, torch.nn.GRU):
        with torch.no_grad():
            b_hh[8:] = 0
    W, U, b = (getattr(layer, f"{name}_{suffix}") for name in ("weight_ih", "weight_hh", "bias_ih"))
    return CellWeights(W.detach().numpy().T, U.detach().numpy().T, (b + b_hh).detach().numpy())


@pytest.mark.parametrize("cell", LAYERS)
def test_a_stack_of_three(cell):
    theirs = LAYERS[cell](3, 4, num_layers=3, dtype=torch.float64)
    own = read_stacked(cell, [weights(theirs, f"l{layer}") for layer in range(3)], INPUTS, cell == "gru")
    hidden, last = theirs(torch.tensor(INPUTS))
    np.testing.assert_allclose(own[-1].hidden, hidden.detach().numpy(), rtol=1e-11, atol=1e-14)
    ends = last[0] if cell == "lstm" else last
    for layer, end in zip(own, ends.detach().numpy(), strict=True):
        np.testing.assert_allclose(layer.hidden[-1], end, rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("cell", LAYERS)
def test_both_ways(cell):
    theirs = LAYERS[cell](3, 4, bidirectional=True, dtype=torch.float64)
    own = read_both_ways(cell, weights(theirs, "l0"), weights(theirs, "l0_reverse"), INPUTS, cell == "gru")
    hidden, _ = theirs(torch.tensor(INPUTS))
    np.testing.assert_allclose(own.hidden, hidden.detach().numpy(), rtol=1e-11, atol=1e-14)
