"""Arithmetic as the page prints it, worked out again."""

import math
import re

_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
SQUASHINGS = {"σ": lambda a: 1 / (1 + math.exp(-a)), "tanh": math.tanh}


def reckoned(text: str) -> float:
    """What a sum of products of printed numbers comes to."""
    text = re.sub(r"·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: "*1e" + m[1].translate(_SUPERSCRIPTS), text)
    return eval(text.replace("·", "*").replace("−", "-"), {"__builtins__": {}})
