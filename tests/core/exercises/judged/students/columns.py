"""The five functions as a student writes them who thinks in columns and lists, gate by gate."""

import numpy as np


def logistic(v):
    return 0.5 * (1 + np.tanh(v / 2))


def dlogistic(y):
    return y - y * y


def dtanh(y):
    return (1 - y) * (1 + y)


def rnn_forward(params, tokens, start):
    E, Wxh, Whh, bh, Why, by = (params[k] for k in ("E", "Wxh", "Whh", "bh", "Why", "by"))
    s = np.array(start)
    states, predictions, costs = [s], [], []
    for t in range(1, len(tokens)):
        pre = Wxh.T @ E[tokens[t - 1]] + Whh.T @ s + bh
        s = np.tanh(pre)
        states.append(s)
        y = Why.T @ s + by
        q = np.exp(y) / np.sum(np.exp(y))
        predictions.append(q)
        costs.append(-np.log(q[tokens[t]]))
    return np.sum(costs), np.stack(states), np.stack(predictions)


def rnn_bptt(params, tokens, start):
    E, Wxh, Whh, bh, Why, by = (params[k] for k in ("E", "Wxh", "Whh", "bh", "Why", "by"))
    s = np.array(start)
    states, pres, predictions, cost = [s], [None], [None], 0.0
    for t in range(1, len(tokens)):
        pre = Wxh.T @ E[tokens[t - 1]] + Whh.T @ s + bh
        s = np.tanh(pre)
        states.append(s)
        pres.append(pre)
        y = Why.T @ s + by
        q = np.exp(y) / np.sum(np.exp(y))
        predictions.append(q)
        cost += -np.log(q[tokens[t]])

    gE, gWxh, gWhh, gbh = np.zeros_like(E), np.zeros_like(Wxh), np.zeros_like(Whh), np.zeros_like(bh)
    gWhy, gby = np.zeros_like(Why), np.zeros_like(by)
    from_future = np.zeros_like(s)
    for t in range(len(tokens) - 1, 0, -1):
        err = predictions[t] - np.eye(len(by))[tokens[t]]
        gWhy += np.outer(states[t], err)
        gby += err
        gs = Why @ err + from_future
        gpre = gs * dtanh(states[t])
        gWxh += np.outer(E[tokens[t - 1]], gpre)
        gWhh += np.outer(states[t - 1], gpre)
        gbh += gpre
        gE[tokens[t - 1]] += Wxh @ gpre
        from_future = Whh @ gpre
    out = {"E": gE, "Wxh": gWxh, "Whh": gWhh, "bh": gbh, "Why": gWhy, "by": gby}
    out["h0"] = from_future
    return cost, out


def lstm_cell(inp, hid, cell, W, U, bias):
    net = np.einsum("...i,ij->...j", inp, W) + np.einsum("...i,ij->...j", hid, U) + bias
    parts = np.split(net, 4, axis=-1)
    ingate, forget = logistic(parts[0]), logistic(parts[1])
    cand, outgate = np.tanh(parts[2]), logistic(parts[3])
    cell = forget * cell + ingate * cand
    return outgate * np.tanh(cell), cell


def lstm_cell_backward(inp, hid, cell, W, U, bias, ghid, gcell):
    net = np.einsum("...i,ij->...j", inp, W) + np.einsum("...i,ij->...j", hid, U) + bias
    parts = np.split(net, 4, axis=-1)
    ingate, forget = logistic(parts[0]), logistic(parts[1])
    cand, outgate = np.tanh(parts[2]), logistic(parts[3])
    fresh = forget * cell + ingate * cand
    squashed = np.tanh(fresh)

    gfresh = ghid * outgate * dtanh(squashed) + gcell
    gates = {}
    gates["in"] = gfresh * cand * dlogistic(ingate)
    gates["forget"] = gfresh * cell * dlogistic(forget)
    gates["cand"] = gfresh * ingate * dtanh(cand)
    gates["out"] = ghid * squashed * dlogistic(outgate)
    gnet = np.concatenate([gates[k] for k in ("in", "forget", "cand", "out")], axis=-1)
    ginp = np.einsum("...j,ij->...i", gnet, W)
    gold = sum(g @ u.T for g, u in zip(gates.values(), np.split(U, 4, axis=1), strict=True))
    gW = np.einsum("bi,bj->ij", np.atleast_2d(inp), np.atleast_2d(gnet))
    gU = np.einsum("bi,bj->ij", np.atleast_2d(hid), np.atleast_2d(gnet))
    gb = np.atleast_2d(gnet).sum(0)
    return ginp, gold, gfresh * forget, gW, gU, gb


def gru_cell(inp, hid, W, U, bias):
    (Wr, Wz, Wn), (Ur, Uz, Un), (br, bz, bn) = np.split(W, 3, 1), np.split(U, 3, 1), np.split(bias, 3)
    reset = logistic(np.dot(inp, Wr) + np.dot(hid, Ur) + br)
    update = logistic(np.dot(inp, Wz) + np.dot(hid, Uz) + bz)
    new = np.tanh(np.dot(inp, Wn) + np.dot(reset * hid, Un) + bn)
    return new + update * (hid - new)
