import math
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import mpmath
import numpy as np
import pytest

import core
from core.corpora import BRACKETS, CORPORA, TOY, brackets, entropy, toy
from core.text import decode_upload, streams, vocabulary_of

ROOT = Path(core.__file__).parents[1]
ASSETS = ROOT / "assets" / "corpora"
CODE = brackets(200_000, 7)


def toy_sentences():
    """Every sentence of the toy language with its exact probability, written out by hand."""
    who = {"the old keeper": 2, "a grey gull": 1, "the little boat": 1}
    does = {"waits": 2, "sleeps": 1, "is singing": 1}
    where = {"under the bridge": 2, "at the harbour": 2, "close to the tower": 1, "by the tower": 1}
    when = {"": 3, " all night": 1, " in the rain": 1, " at dawn": 1}
    return {
        f"{a} {b} {c}{d}.\n": mpmath.mpf(p * q * r * s) / (4 * 4 * 6 * 6)
        for a, p in who.items()
        for b, q in does.items()
        for c, r in where.items()
        for d, s in when.items()
    }


def test_the_toy_language_has_22_characters_and_little_to_learn():
    assert vocabulary_of(CORPORA["toy"].text).size == 22
    assert math.log(22) == pytest.approx(3.09, abs=0.005)
    assert 0.08 < entropy("toy") < 0.15


def test_the_toy_entropy_is_that_of_its_sentences_over_their_mean_length():
    sentences = toy_sentences()
    assert mpmath.fsum(sentences.values()) == pytest.approx(1, abs=1e-14)
    nats = -mpmath.fsum(p * mpmath.log(p) for p in sentences.values())
    length = mpmath.fsum(p * len(sentence) for sentence, p in sentences.items())
    assert entropy("toy") == pytest.approx(float(nats / length), rel=1e-13)
    assert TOY.length("sentence") == pytest.approx(float(length), rel=1e-13)


def test_the_toy_entropy_is_what_the_best_predictor_pays_for_each_next_character():
    starts = Counter()
    for sentence, p in toy_sentences().items():
        for end in range(len(sentence) + 1):
            starts[sentence[:end]] += float(p)
    text = toy(100_000, 5)
    nats, start = [], ""
    for character in text:
        nats.append(-math.log(starts[start + character] / starts[start]))
        start = "" if character == "\n" else start + character
    assert np.mean(nats) == pytest.approx(entropy("toy"), abs=4 * np.std(nats) / math.sqrt(len(nats)))


WORD, NAME, DIGIT = r"(red|blue|lost|key|far|end)", r"(lamp|door|find|count|open|left|row)", r"\d"


class Reader:
    """Reads code back by recursive descent, adding up the nats of what it finds; fails at a fault."""

    def __init__(self, text):
        self.text, self.at, self.nats = text, 0, 0.0

    def pay(self, weight, of):
        self.nats -= math.log(weight / of)

    def take(self, pattern):
        found = re.compile(pattern).match(self.text, self.at)
        assert found, f"no {pattern} at {self.text[self.at : self.at + 20]!r}"
        self.at = found.end()

    def sees(self, text):
        return self.text.startswith(text, self.at)

    def line(self, level):
        total = 9 if level < 3 else 6
        self.take("  " * level)
        if self.sees("if "):
            self.pay(3, total)
            self.take("if ")
            self.call()
            self.take(r" \{\n")
            self.block(level + 1)
            self.take("  " * level + r"\}\n")
            return
        self.take(NAME)
        self.pay(1, 7)
        if self.sees("("):
            self.pay(4, total)
            self.items("(", ")")
        else:
            self.pay(2, total)
            self.take(" = ")
            self.items("[", "]")
        self.take(";\n")

    def block(self, level):
        lines = 0
        while self.sees("  " * level):
            self.line(level)
            lines += 1
        self.pay({1: 2, 2: 3, 3: 1}[lines], 6)

    def call(self):
        self.take(NAME)
        self.pay(1, 7)
        self.items("(", ")")

    def items(self, opening, closing):
        self.take(re.escape(opening))
        count = 0
        while not self.sees(closing):
            if count:
                self.take(", ")
            self.item()
            count += 1
        self.take(re.escape(closing))
        self.pay([1, 4, 3, 2][count], 10)

    def item(self):
        if self.sees('"'):
            self.pay(4, 18)
            self.take('"')
            self.words()
        elif self.sees("["):
            self.pay(2, 18)
            self.items("[", "]")
        elif self.text[self.at].isdigit():
            self.pay(3, 18)
            self.pay(1, 10)
            self.take(DIGIT)
        else:
            self.take(NAME)
            self.pay(1, 7)
            self.pay(3 if self.sees("(") else 6, 18)
            if self.sees("("):
                self.items("(", ")")

    def words(self):
        self.take(WORD)
        self.pay(1, 6)
        while not self.sees('"'):
            self.take(" " + WORD)
            self.pay(1, 6)
            self.pay(2, 3)
        self.take('"')
        self.pay(1, 3)


def test_code_is_read_back_to_its_end_and_its_entropy_is_what_that_costs():
    reader = Reader(CODE)
    nats, lengths = [], []
    while reader.at < len(CODE):
        nats_before, at_before = reader.nats, reader.at
        reader.line(0)
        nats.append(reader.nats - nats_before)
        lengths.append(reader.at - at_before)
    rate = np.sum(nats) / np.sum(lengths)
    spread = np.std(np.array(nats) - rate * np.array(lengths)) / math.sqrt(len(nats)) / np.mean(lengths)
    assert entropy("brackets") == pytest.approx(rate, abs=4 * spread)
    assert spread < 0.005
    assert BRACKETS.length("line0") == pytest.approx(np.mean(lengths), rel=0.1)


def test_brackets_close_in_the_order_in_which_they_were_opened_and_lines_are_indented_by_the_braces():
    closing = {"(": ")", "[": "]", "{": "}"}
    deepest, quoted_spaces = 0, 0
    waiting = []
    for line in CODE.splitlines():
        braces = waiting.count("}") - line.lstrip().startswith("}")
        assert len(line) - len(line.lstrip()) == 2 * braces
        for place, part in enumerate(line.split('"')):
            if place % 2:
                assert not set(part) & set("()[]{}")
                quoted_spaces += " " in part
                continue
            for character in part:
                if character in closing:
                    waiting.append(closing[character])
                elif character in closing.values():
                    assert waiting.pop() == character
            deepest = max(deepest, len(waiting))
        assert line.count('"') % 2 == 0
        assert set(waiting) <= {"}"}
    assert waiting == []
    assert deepest >= 6
    assert quoted_spaces > 100


@pytest.mark.parametrize("name", CORPORA)
def test_the_file_is_what_its_command_prints(name):
    command = [sys.executable, "-m", "core.corpora", name]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    assert run.stdout == (ASSETS / f"{name}.txt").read_bytes() == CORPORA[name].text.encode()


def test_the_command_refuses_another_name():
    run = subprocess.run(
        [sys.executable, "-m", "core.corpora", "prose"], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode != 0
    assert "corpus must be one of toy, agreement, brackets, got 'prose'" in run.stderr


@pytest.mark.parametrize("name", [*CORPORA, "prose"])
def test_every_file_can_be_trained_on_at_the_usual_settings(name):
    text = decode_upload((ASSETS / f"{name}.txt").read_bytes())
    assert streams(vocabulary_of(text).encode(text), 32, 64).chunks >= (4 if name == "prose" else 30)
    assert text.isascii()
    assert text.endswith("\n")


def test_entropy_is_known_of_the_grammars_alone():
    assert [name for name in ("toy", "agreement", "brackets", "prose", "own") if entropy(name) is None] == [
        "prose",
        "own",
    ]


@pytest.mark.parametrize("draw", [toy, brackets])
def test_the_same_seed_gives_the_same_text_and_another_a_fresh_one(draw):
    text = draw(4000, 3)
    assert len(text) >= 4000
    assert draw(9000, 3).startswith(text)
    assert draw(4000, 4)[:500] != text[:500]


@pytest.mark.parametrize("draw", [toy, brackets])
@pytest.mark.parametrize("value", [-1, 0.5, None])
def test_numbers_out_of_range_are_refused(draw, value):
    with pytest.raises(ValueError, match=f"characters must be an integer of at least 1, got {value!r}"):
        draw(value, 0)
    with pytest.raises(ValueError, match=f"seed must be an integer of at least 0, got {value!r}"):
        draw(10, value)
