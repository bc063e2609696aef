import math
from collections import Counter

import mpmath
import numpy as np
import pytest

from core.grammar import Grammar

NESTED = Grammar({"tree": {"(<tree><tree>)": 1, "x": 2, "yy": 1}, "pair": ["<tree>;<tree>", "none"]})


def draws(grammar, symbol, count, seed=0):
    rng = np.random.default_rng(seed)
    return [grammar.draw(symbol, rng) for _ in range(count)]


def test_a_walk_that_goes_on_with_probability_p_has_the_entropy_and_length_of_a_geometric_law():
    p = mpmath.mpf(2) / 7
    walk = Grammar({"walk": {"left <walk>": 2, "home.": 5}})
    coin = -(p * mpmath.log(p) + (1 - p) * mpmath.log(1 - p))
    assert walk.entropy("walk") == pytest.approx(float(coin / (1 - p)), rel=1e-14)
    assert walk.length("walk") == pytest.approx(float(5 * p / (1 - p) + 5), rel=1e-14)
    assert walk.entropy_rate("walk") == pytest.approx(
        float(coin / (1 - p) / (5 * p / (1 - p) + 5)), rel=1e-14
    )


def test_a_tree_has_the_entropy_and_length_of_a_branching_process():
    # One node leaves half a node on average, so a tree has two; each costs H(1/4, 1/2, 1/4) = 1.5 ln 2.
    assert NESTED.entropy("tree") == pytest.approx(2 * 1.5 * math.log(2), rel=1e-14)
    assert NESTED.length("tree") == pytest.approx(2 * (0.25 * 2 + 0.5 * 1 + 0.25 * 2), rel=1e-14)
    assert NESTED.entropy("pair") == pytest.approx(math.log(2) + NESTED.entropy("tree"), rel=1e-14)


def test_another_measure_counts_what_it_finds():
    brackets = NESTED.length("tree", lambda text: text.count("(") + text.count(")"))
    assert brackets == pytest.approx(2 * 0.25 * 2, rel=1e-14)
    mean = np.mean([text.count("(") + text.count(")") for text in draws(NESTED, "tree", 20_000)])
    assert brackets == pytest.approx(mean, abs=0.06)


def test_draws_follow_the_weights():
    grammar = Grammar({"s": {"a": 1, "b": 2, "c<t>": 5}, "t": ["x", "y"]})
    counts = Counter(draws(grammar, "s", 16_000))
    expected = {"a": 2000, "b": 4000, "cx": 5000, "cy": 5000}
    assert set(counts) == set(expected)
    chi_square = sum((counts[text] - count) ** 2 / count for text, count in expected.items())
    assert chi_square < 16.3  # three degrees of freedom, p = 0.001


def test_a_pattern_is_drawn_in_its_own_order():
    grammar = Grammar({"s": ["1<a>2<b>3<a>4"], "a": ["[<b>]"], "b": ["+"]})
    assert draws(grammar, "s", 1) == ["1[+]2+3[+]4"]


def test_deep_texts_need_no_deep_stack():
    grammar = Grammar({"s": {"a<s>": 9999, "b": 1}})
    assert max(map(len, draws(grammar, "s", 5))) > 5000


def test_sentences_are_whole_and_just_enough():
    grammar = Grammar({"s": ["abc.", "de."]})
    text = grammar.sentences("s", 100, np.random.default_rng(0))
    assert 100 <= len(text) < 104
    assert set(text.split(".")) == {"abc", "de", ""}
    assert grammar.sentences("s", 50, np.random.default_rng(0)) == text[: text.index(".", 49) + 1]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"s": []}, "rules must give 's' at least one pattern"),
        ({"s": {}}, "rules must give 's' at least one pattern"),
        ({"s": ["<t>"]}, "symbol must be one of s, got 't'"),
        ({"s": {"a": 0, "b": 1}}, "the weight of 'a' must be a finite number above 0, got 0"),
        ({"s": {"a": math.nan}}, "the weight of 'a' must be a finite number above 0, got nan"),
        ({"s": {"a": math.inf}}, "the weight of 'a' must be a finite number above 0, got inf"),
        ({"s": ["a<s>"]}, "rules must give sentences of a finite expected length"),
        ({"s": ["<s><s>", "a"]}, "rules must give sentences of a finite expected length"),
        ({"s": ["a"], "t": ["<u>"], "u": ["<t>"]}, "rules must give sentences of a finite expected length"),
    ],
)
def test_rules_that_give_no_sentences_are_refused(rules, message):
    with pytest.raises(ValueError, match=message):
        Grammar(rules)


def test_symbols_without_rules_and_no_characters_are_refused():
    rng = np.random.default_rng(0)
    for use in (NESTED.entropy, NESTED.length, NESTED.entropy_rate, lambda s: NESTED.draw(s, rng)):
        with pytest.raises(ValueError, match="symbol must be one of tree, pair, got 'x'"):
            use("x")
    with pytest.raises(ValueError, match="characters must be an integer of at least 1, got 0"):
        NESTED.sentences("tree", 0, rng)
