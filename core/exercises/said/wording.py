"""A verdict in a word and in a line, and text of others made fit to be shown."""

import unicodedata

from core.exercises.contract import Fault, Verdict

_PLAIN = str.maketrans({"−": "-", "–": "-", "·": "*", "×": "x", "…": "...", "′": "'", "’": "'", "‘": "'"})
_PLAIN |= str.maketrans({"“": '"', "”": '"', "→": "->", "Σ": "sum", "∂": "d", "≤": "<=", "≥": ">=", "⊙": "*"})


def word(verdict: Verdict) -> str:
    """The verdict in a word or two."""
    if verdict.right:
        return "right"
    if verdict.fault:
        return word_of_fault(verdict.fault)
    is_wrong = bool(verdict.mistakes) or any(not row.right for row in verdict.rows)
    return "wrong" if is_wrong else "not all checked"


def word_of_fault(fault: Fault) -> str:
    """What came of a file or function that could not be judged, in a word or two."""
    words = {"unwritten": "not written", "missing": "missing", "not-python": "not readable"}
    return words.get(fault.kind, "stopped")


def in_short(verdict: Verdict) -> str:
    """What is wrong, in a line; nothing for a right one."""
    if verdict.fault:
        sentence = verdict.fault.sentence
        return f"line {verdict.fault.line}: {sentence}" if verdict.fault.line else sentence
    found = [mistake.title for mistake in verdict.mistakes]
    wrong = [row.name for row in verdict.rows if not row.right]
    if wrong and not found:
        found = [f"no known mistake explains {', '.join(wrong)}"]
    return "; ".join(found) or ("not all could be checked" if verdict.unchecked else "")


def visible(text: str) -> str:
    """Text of others with nothing in it that a screen would obey: no codes, no breaks, no change of direction."""
    return "".join(each if each.isprintable() else _escaped(each) for each in text)


def encodable(text: str, encoding: str) -> str:
    """The text in signs that an encoding has: others by their nearest, or a question mark."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        plain = unicodedata.normalize("NFKD", text.translate(_PLAIN))
        return plain.encode(encoding, "replace").decode(encoding)
    return text


def _escaped(sign: str) -> str:
    return " " if sign == "\t" else ascii(sign)[1:-1]
