import math
from itertools import product

import pytest

from core.fixed_window import (
    LANTERNS,
    table_entries,
    window_layer_exceeds_from,
    window_layer_parameters,
    window_network_parameters,
    window_view,
)


def test_a_table_has_an_entry_for_each_word_after_each_window():
    assert table_entries(3, 2) == len(list(product("abc", repeat=3)))
    assert table_entries(50, 0) == 50


def test_ten_words_of_a_hundred_thousand_are_counted_exactly():
    """The example of Bengio et al. (2003): 10⁵⁰ − 1 free numbers, the last one following from the others."""
    assert table_entries(100_000, 9) == 10**50
    assert math.log10(table_entries(100_000, 99)) == pytest.approx(500, rel=1e-15)


@pytest.mark.parametrize(("V", "n", "m", "h"), [(17_964, 5, 60, 50), (16_383, 6, 30, 100), (2, 2, 1, 1)])
def test_a_window_network_has_the_parameters_that_its_paper_gives(V, n, m, h):
    """|V|(1 + n·m + h) + h(1 + (n − 1)m) with direct connections, of order n, which reads n − 1 words."""
    assert window_network_parameters(V, n - 1, m, h, direct=True) == V * (1 + n * m + h) + h * (
        1 + (n - 1) * m
    )
    assert window_network_parameters(V, n - 1, m, h) == V * (1 + m + h) + h * (1 + (n - 1) * m)


def test_a_window_networks_layer_worked_by_hand():
    """Two words of three numbers into four units: 6·4 weights and 4 biases."""
    assert window_layer_parameters(2, 3, 4) == 28
    assert window_network_parameters(10, 2, 3, 4) == 10 * 3 + 28 + 4 * 10 + 10


@pytest.mark.parametrize(
    ("parameters", "start"),
    [(0, 1), (4, 1), (15, 1), (16, 2), (27, 2), (28, 3), (10**30, (10**30 - 4) // 12 + 1)],
)
def test_from_which_window_its_layer_is_larger(parameters, start):
    """Layers of 4·(3·n + 1): 16, 28, 40, …"""
    assert window_layer_exceeds_from(parameters, 3, 4) == start
    assert window_layer_parameters(start, 3, 4) > parameters
    assert start == 1 or window_layer_parameters(start - 1, 3, 4) <= parameters


def test_a_window_of_five_cannot_see_the_noun():
    view = window_view(LANTERNS.words, LANTERNS.verb, 5)
    assert view.seen == ("wall", "behind", "the", "old", "mill")
    assert view.unseen == ("the", "lanterns", "on", "the")
    assert view.word == "were"
    assert LANTERNS.words[LANTERNS.noun] == "lanterns"
    assert LANTERNS.least_window == 8
    noun = LANTERNS.words[LANTERNS.noun]
    for window, sees in ((7, False), (8, True), (100, True)):
        assert (noun in window_view(LANTERNS.words, LANTERNS.verb, window).seen) is sees


def test_the_ends_of_a_sentence():
    assert window_view(["a", "b"], 0, 5) == window_view(("a", "b"), 0, 1)
    assert window_view(["a", "b"], 0, 5).seen == ()
    assert window_view(["a", "b"], 1, 1).seen == ("a",)


@pytest.mark.parametrize(
    ("count", "message"),
    [
        (lambda: table_entries(0, 1), "vocabulary must be an integer of at least 1, got 0"),
        (lambda: table_entries(1, -1), "window must be an integer of at least 0, got -1"),
        (lambda: window_network_parameters(0, 1, 1, 1), "vocabulary must be an integer of at least 1, got 0"),
        (lambda: window_network_parameters(1, 0, 1, 1), "window must be an integer of at least 1, got 0"),
        (
            lambda: window_network_parameters(1, 1, 0, 1),
            "embedding_size must be an integer of at least 1, got 0",
        ),
        (
            lambda: window_network_parameters(1, 1, 1, 0),
            "hidden_size must be an integer of at least 1, got 0",
        ),
        (lambda: window_layer_parameters(0, 1, 1), "window must be an integer of at least 1, got 0"),
        (lambda: window_layer_parameters(1, 0, 1), "embedding_size must be an integer of at least 1, got 0"),
        (lambda: window_layer_parameters(1, 1, 0), "hidden_size must be an integer of at least 1, got 0"),
        (lambda: window_layer_exceeds_from(-1, 1, 1), "parameters must be an integer of at least 0, got -1"),
        (
            lambda: window_layer_exceeds_from(1, 0, 1),
            "embedding_size must be an integer of at least 1, got 0",
        ),
        (lambda: window_layer_exceeds_from(1, 1, 0), "hidden_size must be an integer of at least 1, got 0"),
        (lambda: window_network_parameters(1, 1, 1, 1, 1), "direct must be True or False, got 1"),
        (lambda: window_view("a text", 1, 5), "words must be a sequence of strings, got 'a text'"),
        (lambda: window_view(7, 1, 5), "words must be a sequence of strings, got 7"),
        (lambda: window_view(["a", 3], 1, 5), "each of words must be a string, got 3"),
        (lambda: window_view([], 0, 5), "words must hold at least one word, got none"),
        (lambda: window_view(["a"], 1, 5), "position must be an integer from 0 to 0, got 1"),
        (lambda: window_view(["a"], 0, 0), "window must be an integer of at least 1, got 0"),
    ],
)
def test_what_is_out_of_range_is_refused_by_name(count, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        count()
