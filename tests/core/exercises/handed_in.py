"""A right hand-in and a wrong one, for tests of the command."""

GOOD = """
import numpy as np
FORGET_GATE = 0.35

def sigmoid(a):
    return 1 / (1 + np.exp(-a))

def lstm_cell(x, h, c, W, U, b):
    i, f, g, o = np.split(x @ W + h @ U + b, 4, axis=-1)
    c_new = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c_new), c_new
"""
SWAPPED = GOOD.replace("i, f, g, o =", "f, i, g, o =")
