"""What lies beyond the range of a float is ±inf, and NaN where two of these cancel: the result says so, no warning."""

from collections.abc import Callable
from functools import wraps

import numpy as np


def overflow_is_infinite(function: Callable) -> Callable:
    """The same function, without NumPy's warnings of overflow and of ∞ − ∞.

    For functions whose arguments were found finite, so that nothing else can be meant by them.
    """

    @wraps(function)
    def quiet(*arguments, **named):
        with np.errstate(over="ignore", invalid="ignore"):
            return function(*arguments, **named)

    return quiet
