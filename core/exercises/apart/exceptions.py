"""An exception in a student's code in one sentence, and what to look for, with the shapes in the line that met it."""

import difflib
import re
import sys
from collections.abc import Sequence

from core.exercises.apart.guard import REFUSED
from core.exercises.apart.told import Facts
from core.exercises.contract import MISFIT

_NAME = re.compile(r"""([^\W\d]\w*)(?:\[(?:"(\w+)"|'(\w+)')\])?""")
_MATMUL = re.compile(r"matmul: .*\(size (?P<right>\d+) is different from (?P<left>\d+)\)")
_DOT = re.compile(r"shapes .* not aligned: (?P<left>\d+) \(dim \d+\) != (?P<right>\d+) \(dim \d+\)")
_PRODUCT = re.compile(r"@|\b(?:dot|matmul|einsum)\(")
_SHAPES = re.compile(r"mismatch|shape|broadcast|aligned|dimension|axis|axes|size")
_ANSWERS = ("app", "core", "widgets")
_NUMPY = (
    "The check runs your file with NumPy and Python's own library, and nothing else. What you try out for yourself "
    'can stand under `if __name__ == "__main__":`, which is not run.'
)

_HINTS = {
    "AssertionError": "The assert in this line is your own: what it claims does not hold for the check's numbers.",
    "AttributeError": "Look at the spelling, and at what kind of thing stands before the dot.",
    "EOFError": "Take input() out: what a function needs is in its arguments.",
    "FloatingPointError": "A number left the range of float64: look at what grows in this line.",
    "IndentationError": "Indent with four spaces everywhere.",
    "IndexError": "Count from 0; the last of n has the index n − 1.",
    "LinAlgError": "None of the functions needs an inverse or a decomposition.",
    "OverflowError": "NumPy's functions take large numbers where those of math do not.",
    "RecursionError": "A function calls itself without end: loop over the steps instead.",
    "UnboundLocalError": "This name gets its value later, or only in a branch that was not taken.",
    "ZeroDivisionError": "Look at what stands behind the division sign: it is 0 here.",
}
_ROWS = "Vectors are rows: x @ W takes (d,) to (d_h,)."
_CALL = "Count the arguments, and look at what kind of thing each of them is."


def of_exception(facts: Facts, where: str, code: str) -> tuple[str, str]:
    """Sentence and hint for an exception in the line ``code``."""
    kind, text = facts.kind, facts.text
    if kind == "PermissionError" and text.startswith(REFUSED):
        return f"{where} tries what is not done here: {text}.", "An exercise needs none of that: take it out."
    if kind == "KeyError":
        return f"{where} asks for the key {text}, which is not there.", _keys(facts, code)
    if kind == "NameError":
        return f"{where} uses the name {facts.name}, which is not defined.", _defined(facts)
    misfit = _MATMUL.fullmatch(text) or _DOT.fullmatch(text)
    if misfit:
        text = f"{MISFIT}, {misfit['left']} and {misfit['right']}"
    sentence = f"{where} stopped with {_article(kind)} {kind}{': ' if text else ''}{text}"
    return f"{sentence.rstrip('.')}.", _hint(facts, code, facts.text)


def of_import(facts: Facts, neighbours: Sequence[str]) -> tuple[str, str]:
    """Sentence and hint for an import of what is not there."""
    name = facts.name or facts.text
    top = name.split(".")[0]
    if top in _ANSWERS:
        return (
            f"The file imports {top}, which holds the answers: it is not there while your code runs.",
            _NUMPY,
        )
    if top in neighbours:
        return (
            f"The file imports {top}, a file beside it: it has to run alone.",
            "Copy what it needs into it.",
        )
    if top in sys.stdlib_module_names or top == "numpy":
        return f"The file imports what is not there: {facts.text.rstrip('.')}.", "Look at the spelling."
    return f"The file imports {name}, which is not there.", _NUMPY


def _hint(facts: Facts, code: str, text: str) -> str:
    shapes = _shapes(facts, code)
    for kind in facts.kinds:
        if kind in _HINTS:
            return f"{_HINTS[kind]} {shapes if kind == 'IndexError' else ''}".strip()
        if kind == "TypeError" and not shapes:
            return _CALL
        if kind in ("ValueError", "TypeError") and shapes:
            is_product = _SHAPES.search(text) and _PRODUCT.search(code)
            return f"{shapes} {_ROWS}" if is_product else shapes
    return ""


def _shapes(facts: Facts, code: str) -> str:
    """The shapes of the arrays that the line names."""
    named = dict.fromkeys(_key(match) for match in _NAME.finditer(code))
    shapes = [f"{name} {facts.shapes[name]}" for name in named if name in facts.shapes]
    return f"The shapes in this line: {', '.join(shapes)}." if shapes else ""


def _key(match: re.Match) -> str:
    key = match[2] or match[3]
    return f"{match[1]}['{key}']" if key else match[1]


def _keys(facts: Facts, code: str) -> str:
    """The keys of the dicts that the line names."""
    named = dict.fromkeys(match[1] for match in _NAME.finditer(code))
    return " ".join(f"{name} has {facts.keys[name]}." for name in named if facts.keys.get(name))


def _defined(facts: Facts) -> str:
    """What may be meant by a name that is not defined."""
    if facts.name == "np":
        return "Write `import numpy as np` at the head of the file."
    near = difflib.get_close_matches(facts.name, facts.names, n=1)
    return f"Is {near[0]} meant?" if near else "Define it in this file; nothing else is there while it runs."


def _article(kind: str) -> str:
    return "an" if kind[:1] in "AEIOU" else "a"
