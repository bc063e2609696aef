"""The five functions as a student writes them who thinks in whole arrays."""

import numpy as np


def sigmoid(a):
    return 1 / (1 + np.exp(-a))


def rnn_forward(P, ids, h0):
    T = len(ids) - 1
    hidden = np.zeros((T + 1, len(h0)))
    probabilities = np.zeros((T, len(P["by"])))
    hidden[0] = h0
    loss = 0.0
    for t in range(T):
        x = P["E"][ids[t]]
        hidden[t + 1] = np.tanh(x @ P["Wxh"] + hidden[t] @ P["Whh"] + P["bh"])
        logits = hidden[t + 1] @ P["Why"] + P["by"]
        p = np.exp(logits - logits.max())
        probabilities[t] = p / p.sum()
        loss = loss - np.log(probabilities[t, ids[t + 1]])
    return loss, hidden, probabilities


def rnn_bptt(P, ids, h0):
    T = len(ids) - 1
    X = P["E"][ids[:-1]]
    A = np.zeros((T, len(h0)))
    H = np.zeros((T + 1, len(h0)))
    H[0] = h0
    for t in range(T):
        A[t] = X[t] @ P["Wxh"] + H[t] @ P["Whh"] + P["bh"]
        H[t + 1] = np.tanh(A[t])
    logits = H[1:] @ P["Why"] + P["by"]
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p = p / p.sum(axis=1, keepdims=True)
    loss = -np.log(p[np.arange(T), ids[1:]]).sum()

    dlogits = p.copy()
    dlogits[np.arange(T), ids[1:]] -= 1
    dA = np.zeros((T, len(h0)))
    later = np.zeros(len(h0))
    for t in reversed(range(T)):
        dh = dlogits[t] @ P["Why"].T + later
        dA[t] = dh * (1 - H[t + 1] ** 2)
        later = dA[t] @ P["Whh"].T
    dE = np.zeros_like(P["E"])
    np.add.at(dE, ids[:-1], dA @ P["Wxh"].T)
    grads = {
        "E": dE,
        "Wxh": X.T @ dA,
        "Whh": H[:-1].T @ dA,
        "bh": dA.sum(axis=0),
        "Why": H[1:].T @ dlogits,
        "by": dlogits.sum(axis=0),
        "h0": later,
    }
    return loss, grads


def lstm_cell(x, h, c, W, U, b):
    n = h.shape[-1]
    a = x @ W + h @ U + b
    i = sigmoid(a[..., :n])
    f = sigmoid(a[..., n : 2 * n])
    g = np.tanh(a[..., 2 * n : 3 * n])
    o = sigmoid(a[..., 3 * n :])
    c_new = f * c + i * g
    h_new = o * np.tanh(c_new)
    return h_new, c_new


def lstm_cell_backward(x, h, c, W, U, b, dh_new, dc_new):
    n = h.shape[-1]
    a = x @ W + h @ U + b
    i = sigmoid(a[..., :n])
    f = sigmoid(a[..., n : 2 * n])
    g = np.tanh(a[..., 2 * n : 3 * n])
    o = sigmoid(a[..., 3 * n :])
    c_new = f * c + i * g
    s = np.tanh(c_new)

    do = dh_new * s
    dc_all = dc_new + dh_new * o * (1 - s**2)
    di = dc_all * g
    df = dc_all * c
    dg = dc_all * i
    da = np.concatenate(
        [di * i * (1 - i), df * f * (1 - f), dg * (1 - g**2), do * o * (1 - o)],
        axis=-1,
    )
    rows = da.reshape(-1, 4 * n)
    dW = x.reshape(-1, x.shape[-1]).T @ rows
    dU = h.reshape(-1, n).T @ rows
    db = rows.sum(axis=0)
    return da @ W.T, da @ U.T, dc_all * f, dW, dU, db


def gru_cell(x, h, W, U, b):
    n = h.shape[-1]
    r = sigmoid(x @ W[:, :n] + h @ U[:, :n] + b[:n])
    z = sigmoid(x @ W[:, n : 2 * n] + h @ U[:, n : 2 * n] + b[n : 2 * n])
    candidate = np.tanh(x @ W[:, 2 * n :] + (r * h) @ U[:, 2 * n :] + b[2 * n :])
    return (1 - z) * candidate + z * h
