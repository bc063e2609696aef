"""The five functions as a student writes them who thinks in single units, with `math` and loops."""

import math

import numpy as np


def squash(value):
    return 1 / (1 + math.exp(-value))


def rnn_forward(P, ids, h0):
    size, words = P["Why"].shape
    state = [float(value) for value in h0]
    states = [list(state)]
    table = []
    total = 0
    for step in range(len(ids) - 1):
        now, following = ids[step], ids[step + 1]
        fresh = []
        for j in range(size):
            net = P["bh"][j]
            for k in range(P["E"].shape[1]):
                net += P["E"][now, k] * P["Wxh"][k, j]
            for k in range(size):
                net += state[k] * P["Whh"][k, j]
            fresh.append(math.tanh(net))
        state = fresh
        states.append(list(state))
        scores = []
        for w in range(words):
            score = P["by"][w]
            for k in range(size):
                score += state[k] * P["Why"][k, w]
            scores.append(math.exp(score))
        table.append([score / sum(scores) for score in scores])
        total -= math.log(table[-1][following])
    return total, np.array(states), np.array(table)


def rnn_bptt(P, ids, h0):
    size, words = P["Why"].shape
    width = P["E"].shape[1]
    states = [[float(value) for value in h0]]
    nets = []
    table = []
    total = 0
    for step in range(len(ids) - 1):
        old = states[-1]
        net = []
        for j in range(size):
            sum_j = P["bh"][j]
            for k in range(width):
                sum_j += P["E"][ids[step], k] * P["Wxh"][k, j]
            for k in range(size):
                sum_j += old[k] * P["Whh"][k, j]
            net.append(sum_j)
        nets.append(net)
        states.append([math.tanh(value) for value in net])
        scores = []
        for w in range(words):
            score = P["by"][w]
            for k in range(size):
                score += states[-1][k] * P["Why"][k, w]
            scores.append(math.exp(score))
        row = [score / sum(scores) for score in scores]
        table.append(row)
        total -= math.log(row[ids[step + 1]])

    grads = {name: np.zeros(P[name].shape) for name in P}
    carried = [0.0] * size
    for step in range(len(ids) - 2, -1, -1):
        wrong = list(table[step])
        wrong[ids[step + 1]] -= 1
        old, new = states[step], states[step + 1]
        blame = [0.0] * size
        for j in range(size):
            for w in range(words):
                blame[j] += wrong[w] * P["Why"][j, w]
            blame[j] += carried[j]
        for j in range(size):
            blame[j] *= 1 - new[j] * new[j]
        for w in range(words):
            grads["by"][w] += wrong[w]
            for j in range(size):
                grads["Why"][j, w] += new[j] * wrong[w]
        carried = [0.0] * size
        for j in range(size):
            grads["bh"][j] += blame[j]
            for k in range(width):
                grads["Wxh"][k, j] += P["E"][ids[step], k] * blame[j]
                grads["E"][ids[step], k] += P["Wxh"][k, j] * blame[j]
            for k in range(size):
                grads["Whh"][k, j] += old[k] * blame[j]
                carried[k] += P["Whh"][k, j] * blame[j]
    grads["h0"] = np.array(carried)
    return total, grads


def lstm_cell(x, h, c, W, U, b):
    if x.ndim == 2:
        pairs = [lstm_cell(x[k], h[k], c[k], W, U, b) for k in range(len(x))]
        return np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs])
    size = len(h)
    shown = np.zeros(size)
    memory = np.zeros(size)
    for j in range(size):
        net = {}
        for place, part in enumerate("ifgo"):
            column = place * size + j
            net[part] = b[column]
            for k in range(len(x)):
                net[part] += x[k] * W[k, column]
            for k in range(size):
                net[part] += h[k] * U[k, column]
        write, keep, show = squash(net["i"]), squash(net["f"]), squash(net["o"])
        new = math.tanh(net["g"])
        memory[j] = keep * c[j] + write * new
        shown[j] = show * math.tanh(memory[j])
    return shown, memory


def lstm_cell_backward(x, h, c, W, U, b, dh_new, dc_new):
    if x.ndim == 1:
        x, h, c, dh_new, dc_new = x[None], h[None], c[None], dh_new[None], dc_new[None]
        dx, dh, dc, dW, dU, db = lstm_cell_backward(x, h, c, W, U, b, dh_new, dc_new)
        return dx[0], dh[0], dc[0], dW, dU, db
    count, size = h.shape
    dx, dh, dc = np.zeros(x.shape), np.zeros(h.shape), np.zeros(c.shape)
    dW, dU, db = np.zeros(W.shape), np.zeros(U.shape), np.zeros(b.shape)
    for e in range(count):
        for j in range(size):
            net = {}
            for place, part in enumerate("ifgo"):
                column = place * size + j
                net[part] = b[column]
                for k in range(x.shape[1]):
                    net[part] += x[e, k] * W[k, column]
                for k in range(size):
                    net[part] += h[e, k] * U[k, column]
            write, keep, show = squash(net["i"]), squash(net["f"]), squash(net["o"])
            new = math.tanh(net["g"])
            memory = keep * c[e, j] + write * new
            seen = math.tanh(memory)
            at_cell = dc_new[e, j]
            at_cell += dh_new[e, j] * show * (1 - seen * seen)
            at_net = {
                "i": at_cell * new * write * (1 - write),
                "f": at_cell * c[e, j] * keep * (1 - keep),
                "g": at_cell * write * (1 - new * new),
                "o": dh_new[e, j] * seen * show * (1 - show),
            }
            dc[e, j] = at_cell * keep
            for place, part in enumerate("ifgo"):
                column = place * size + j
                db[column] += at_net[part]
                for k in range(x.shape[1]):
                    dW[k, column] += x[e, k] * at_net[part]
                    dx[e, k] += W[k, column] * at_net[part]
                for k in range(size):
                    dU[k, column] += h[e, k] * at_net[part]
                    dh[e, k] += U[k, column] * at_net[part]
    return dx, dh, dc, dW, dU, db


def gru_cell(x, h, W, U, b):
    if x.ndim == 2:
        return np.array([gru_cell(x[k], h[k], W, U, b) for k in range(len(x))])
    size = len(h)

    def net(column, state):
        total = b[column]
        for k in range(len(x)):
            total += x[k] * W[k, column]
        for k in range(size):
            total += state[k] * U[k, column]
        return total

    reset = [squash(net(j, h)) for j in range(size)]
    update = [squash(net(size + j, h)) for j in range(size)]
    left = [reset[j] * h[j] for j in range(size)]
    fresh = np.zeros(size)
    for j in range(size):
        new = math.tanh(net(2 * size + j, left))
        fresh[j] = (1 - update[j]) * new + update[j] * h[j]
    return fresh
