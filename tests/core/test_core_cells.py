"""What all cells share: forward and backward, one example or a batch, and what they refuse."""

import warnings

import numpy as np
import pytest

from core.cells import (
    gru_cell,
    gru_cell_backward,
    lstm_cell,
    lstm_cell_backward,
    rnn_cell,
    rnn_cell_backward,
)
from core.gradcheck import check_backward, check_gradients, check_vjp


def gru_after(x, h, W, U, b, b_recurrent):
    return gru_cell(x, h, W, U, b, reset_after=True, b_recurrent=b_recurrent)


def gru_after_backward(x, h, W, U, b, b_recurrent, dh_new):
    return gru_cell_backward(x, h, W, U, b, dh_new, reset_after=True, b_recurrent=b_recurrent)


CELLS = {
    "rnn": (rnn_cell, rnn_cell_backward, 1, ("h",), ()),
    "lstm": (lstm_cell, lstm_cell_backward, 4, ("h", "c"), ()),
    "gru": (gru_cell, gru_cell_backward, 3, ("h",), ()),
    "gru-after": (gru_after, gru_after_backward, 3, ("h",), ("b_recurrent",)),
}


def weights(kind, inputs=2, size=3, seed=0):
    _, _, parts, _, extra = CELLS[kind]
    draw = np.random.default_rng(seed).normal
    shapes = {"W": (inputs, parts * size), "U": (size, parts * size), "b": (parts * size,)}
    return {name: draw(size=shape) for name, shape in shapes.items()} | {
        name: draw(size=size) for name in extra
    }


def arguments(kind, batch=(), inputs=2, size=3, seed=0):
    draw = np.random.default_rng([seed, 1]).normal
    states = {name: draw(size=(*batch, size)) for name in CELLS[kind][3]}
    return {"x": draw(size=(*batch, inputs))} | states | weights(kind, inputs, size, seed)


def errors(kind, batch=(), size=3):
    draw = np.random.default_rng(5).normal
    return [draw(size=(*batch, size)) for _ in CELLS[kind][3]]


@pytest.mark.parametrize("kind", CELLS)
@pytest.mark.parametrize("batch", [(), (4,)])
def test_backward_is_the_central_difference_of_forward(kind, batch):
    forward, backward, *_ = CELLS[kind]
    asked = arguments(kind, batch)
    for check in (check_backward, check_vjp):
        found = check(forward, backward, asked)
        assert list(found) == list(asked)
        assert max(found.values()) < 1e-7


def run(kind, states, parameters, inputs):
    """The states before each step, the losses' weights at each, and the final loss Σ v_t · h_t."""
    forward, _, _, names, _ = CELLS[kind]
    read = np.random.default_rng(9).normal(size=(len(inputs), states["h"].shape[-1]))
    before, loss = [states], 0.0
    for x, v in zip(inputs, read, strict=True):
        new = forward(x, *before[-1].values(), *parameters.values())
        new = new if isinstance(new, tuple) else (new,)
        before.append(dict(zip(names, new, strict=True)))
        loss += v @ before[-1]["h"]
    return before, read, loss


@pytest.mark.parametrize("kind", CELLS)
def test_steps_chain_back_through_time(kind):
    _, backward, *_ = CELLS[kind]
    parameters, start = weights(kind), arguments(kind)
    start = {name: start[name] for name in CELLS[kind][3]}
    inputs = np.random.default_rng(3).normal(size=(5, 2))
    before, read, _ = run(kind, start, parameters, inputs)

    state_errors = {name: np.zeros(3) for name in start}
    totals = dict.fromkeys(parameters, 0.0)
    for x, state, v in zip(inputs[::-1], before[-2::-1], read[::-1], strict=True):
        state_errors["h"] = state_errors["h"] + v
        _, *found = backward(x, *state.values(), *parameters.values(), *state_errors.values())
        state_errors = dict(zip(start, found, strict=False))
        for name, gradient in zip(parameters, found[len(start) :], strict=True):
            totals[name] = totals[name] + gradient

    def loss(**moved):
        states = {name: moved.pop(name) for name in start}
        return run(kind, states, moved, inputs)[2]

    found = check_gradients(loss, start | parameters, state_errors | totals)
    assert set(found) == {*start, *parameters}
    assert max(found.values()) < 1e-7


def test_three_steps_of_two_units_digit_by_digit():
    """Weights not symmetric and T = 3, so that a forgotten transpose shows; from a worked case in column form."""
    U, W, b = np.array([[0.5, 0.8], [-0.3, 0.2]]), np.array([[0.4, -0.6]]), np.zeros(2)
    inputs = np.array([[1.0], [-1.0], [0.5]])
    states = [np.zeros(2)]
    for x in inputs:
        states.append(rnn_cell(x, states[-1], W, U, b))
    assert states[-1] @ [1, 2] == pytest.approx(-0.4306294781, abs=5e-11)
    dh, dW, dU, db = np.array([1.0, 2.0]), 0, 0, 0
    for x, h in zip(inputs[::-1], states[-2::-1], strict=True):
        _, dh, *step = rnn_cell_backward(x, h, W, U, b, dh)
        dW, dU, db = (total + part for total, part in zip((dW, dU, db), step, strict=True))
    np.testing.assert_allclose(
        dU.T, [[0.7218554733, -0.4276182495], [-0.0758561755, 1.2440154955]], atol=5e-11
    )
    np.testing.assert_allclose(dW, [[-0.6287772565, 0.4852112435]], atol=5e-11)
    np.testing.assert_allclose(db, [3.9278235863, 1.5375284862], atol=5e-11)


@pytest.mark.parametrize(
    ("steps", "gradient"), [(10, 2.5888021993), (250, 89.3075987626), (500, 179.6427992728)]
)
def test_a_loss_summed_over_time_has_a_gradient_that_grows_with_it(steps, gradient):
    """Σ h_t of one unit, w = .5, x = .1: the mean would divide it by the number of steps."""
    x, W, U, b = np.array([0.1]), np.eye(1), np.array([[0.5]]), np.zeros(1)
    states = [np.zeros(1)]
    for _ in range(steps):
        states.append(rnn_cell(x, states[-1], W, U, b))
    dh, total = np.zeros(1), 0.0
    for h in states[-2::-1]:
        _, dh, _, dU, _ = rnn_cell_backward(x, h, W, U, b, dh + 1)
        total += dU[0, 0]
    assert total == pytest.approx(gradient, abs=5e-11 * steps)


@pytest.mark.parametrize("kind", CELLS)
def test_a_batch_is_its_examples_side_by_side_and_sums_the_gradients_of_the_weights(kind):
    forward, backward, _, names, _ = CELLS[kind]
    asked, sent = arguments(kind, (4,)), errors(kind, (4,))
    alone = [{name: a[n] if name in ("x", *names) else a for name, a in asked.items()} for n in range(4)]
    together = backward(*asked.values(), *sent)
    single = [backward(*one.values(), *(e[n] for e in sent)) for n, one in enumerate(alone)]
    for name, own, parts in zip(asked, together, zip(*single, strict=True), strict=True):
        expected = np.stack(parts) if name in ("x", *names) else sum(parts)
        np.testing.assert_allclose(own, expected, rtol=1e-12, atol=1e-14)
    outputs = forward(*asked.values())
    states = [forward(*one.values()) for one in alone]
    np.testing.assert_allclose(outputs, np.moveaxis(np.array(states), 0, -2), rtol=1e-13)


@pytest.mark.parametrize("kind", CELLS)
def test_float32_stays_float32_and_nothing_is_changed_in_place(kind):
    forward, backward, *_ = CELLS[kind]
    asked = {name: a.astype(np.float32) for name, a in arguments(kind, (4,)).items()}
    sent = [e.astype(np.float32) for e in errors(kind, (4,))]
    copies = {name: a.copy() for name, a in asked.items()}
    results = [np.asarray(forward(*asked.values())), *backward(*asked.values(), *sent)]
    assert {result.dtype for result in results} == {np.dtype(np.float32)}
    for name, array in asked.items():
        np.testing.assert_array_equal(array, copies[name])


BROKEN = {
    "nan": lambda a: np.where(np.arange(a.size).reshape(a.shape) == a.size - 1, np.nan, a),
    "infinite": lambda a: np.where(np.arange(a.size).reshape(a.shape) == 0, np.inf, a),
    "text": lambda a: a.astype(str),
    "complex": lambda a: a + 1j,
    "word": lambda a: "weights",
    "nothing": lambda a: None,
    "ragged": lambda a: [[1.0], [1.0, 2.0]],
    "empty": lambda a: np.zeros((*a.shape[:-1], 0)),
    "deeper": lambda a: a[None, None],
}

ALLOWED = (("lstm", "b", "infinite"), ("gru-after", "b_recurrent", "nothing"))


@pytest.mark.parametrize("kind", CELLS)
@pytest.mark.parametrize("fault", BROKEN)
def test_each_broken_argument_is_refused_by_name(kind, fault):
    forward, backward, _, names, _ = CELLS[kind]
    asked = arguments(kind)
    forward(*asked.values())
    sent = dict(zip((f"d{name}_new" for name in names), errors(kind), strict=True))
    for name in (*asked, *sent):
        if (kind, name, fault) in ALLOWED:
            continue
        broken = {key: BROKEN[fault](a) if key == name else a for key, a in (asked | sent).items()}
        with pytest.raises(ValueError, match=rf"^{name} must "):
            backward(*broken.values())
        if name in asked:
            with pytest.raises(ValueError, match=rf"^{name} must "):
                forward(*(broken[key] for key in asked))


@pytest.mark.parametrize("kind", CELLS)
def test_an_empty_batch_and_a_batch_beside_an_example_are_refused(kind):
    forward = CELLS[kind][0]
    with pytest.raises(
        ValueError, match=r"^h must have shape \(B, d_h\) with B and d_h of at least 1, got \(0, 3\)"
    ):
        forward(*arguments(kind, (0,)).values())
    mixed = arguments(kind, (2,)) | {"x": np.zeros(2)}
    with pytest.raises(ValueError, match=r"^x must have shape \(2, d\) with d of at least 1, got \(2,\)"):
        forward(*mixed.values())


@pytest.mark.parametrize("kind", CELLS)
def test_sums_beyond_floats_saturate_without_a_warning(kind):
    forward, backward, *_ = CELLS[kind]
    asked = arguments(kind) | {"x": np.full(2, 1e200)}
    asked["W"] = np.full_like(asked["W"], 1e200)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        opened = np.asarray(forward(*asked.values()))
        small = arguments(kind) | {"x": np.ones(2), "W": np.full_like(asked["W"], 30.0)}
        np.testing.assert_allclose(opened, np.asarray(forward(*small.values())), rtol=1e-9)
        assert not backward(*asked.values(), *errors(kind))[0].any()
        dx = backward(*(asked | {"x": np.full(2, 1e-200)}).values(), *(1e300 * abs(e) for e in errors(kind)))[
            0
        ]
        assert not np.isfinite(dx).any()


@pytest.mark.parametrize("kind", CELLS)
@pytest.mark.skipif(np.finfo(np.longdouble).maxexp == 1024, reason="long doubles are doubles here")
def test_what_does_not_fit_float64_is_refused_by_name(kind):
    forward = CELLS[kind][0]
    for name in ("x", "h", "W", "U"):
        asked = arguments(kind)
        asked[name] = np.full(asked[name].shape, np.longdouble("1e400"))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(ValueError, match=f"^{name} must hold finite numbers only, got inf"):
                forward(*asked.values())
