"""The core against PyTorch: the Jacobians, where the `oracle` extra is installed."""

import numpy as np
import pytest

from core.jacobians import jacobian_products

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install -e ".[test,oracle]"')


@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "relu", "linear"])
def test_jacobian_products_agree_with_autograd(activation):
    rng = np.random.default_rng(1)
    W, inputs, start = rng.normal(size=(6, 6)) / 2, rng.normal(size=(8, 6)), rng.normal(size=6)
    phi = {"linear": lambda a: a}.get(activation) or getattr(torch, activation)

    def last_state(state, first):
        for u in torch.tensor(inputs[first:]):
            state = phi(state @ torch.tensor(W) + u)
        return state

    products = jacobian_products(W, inputs, start, activation)
    for k in (1, 3, 8):
        before = start if k == 8 else products.states[8 - k - 1]
        J = torch.autograd.functional.jacobian(lambda h, k=k: last_state(h, 8 - k), torch.tensor(before))
        assert products.norms[k - 1] == pytest.approx(torch.linalg.matrix_norm(J, 2).item(), rel=1e-12)
