"""The mathematics of Long Gap: NumPy in, NumPy out; imports numpy and the standard library, nothing else.

Row vectors throughout: time or batch comes first, and ``x @ W`` maps ``(d,)`` to ``(d_h,)``. Functions are
pure, results are frozen dataclasses or named tuples, randomness comes from a ``seed``, and an argument that
is out of range is refused with a ``ValueError`` that names the argument, the value and the range.
"""
