"""Each known mistake, made in a student's file, is named, and no other; and so are two at once."""

from itertools import permutations

import pytest

from core.exercises.contract import NAMES
from core.exercises.judged.mistakes import KNOWN, mistakes
from tests.core.exercises.judged.trying import SLIPS, STYLES, keys, slipped, student, verdict

SINGLE = [slip for name in NAMES for slip in slipped(SLIPS / f"{name}.txt")]
PAIRS = [slip for name in NAMES for slip in slipped(SLIPS / f"{name}_pairs.txt")]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("style", STYLES)
def test_what_is_right_passes_in_every_style(style, name):
    function = student(style, name)
    for seed in range(3):
        found = verdict(name, function, seed)
        assert found.right, found


@pytest.mark.parametrize("slip", [*SINGLE, *PAIRS], ids=str)
def test_what_was_done_is_named_and_nothing_else(slip):
    found = verdict(slip.name, student(slip.style, slip.name, *slip.changes))
    assert keys(found) == list(slip.keys)
    assert not found.unchecked
    assert not found.right


@pytest.mark.parametrize("name", NAMES)
def test_every_known_mistake_is_made_in_two_places(name):
    """In two styles, or in one style in two ways; other orders of the gates have a test of their own."""
    for mistake in mistakes(name):
        if "order_" not in mistake.key:
            assert len([slip for slip in SINGLE if slip.name == name and slip.keys == (mistake.key,)]) > 1


@pytest.mark.parametrize("order", ["".join(order) for order in permutations("ifgo")][1:])
@pytest.mark.parametrize("name", ["lstm_cell", "lstm_cell_backward"])
def test_the_order_in_which_gates_are_read_is_named(name, order):
    named = {"figo": "input_forget_swapped", "ifog": "candidate_output_swapped"}
    found = verdict(name, student("loops", name, ('"ifgo"', f'"{order}"')))
    assert keys(found) == [named.get(order, f"order_{order}")]
    assert not found.unchecked
    assert ", ".join(order) in found.mistakes[0].title + found.mistakes[0].hint


@pytest.mark.parametrize("order", ["".join(order) for order in permutations("ifgo")][1:])
def test_the_order_in_which_errors_are_put_together_is_named(order):
    """In columns' style dh is right, since it is made gate by gate: the rest is enough."""
    called = {"i": "in", "f": "forget", "g": "cand", "o": "out"}
    old, new = (
        f"({', '.join(chr(34) + called[part] + chr(34) for part in parts)})" for parts in ("ifgo", order)
    )
    found = verdict("lstm_cell_backward", student("columns", "lstm_cell_backward", (old, new)))
    assert keys(found) == [f"errors_in_order_{order}"]
    assert not found.unchecked


@pytest.mark.parametrize("order", ["".join(order) for order in permutations("rzn")][1:])
def test_the_order_of_a_gru_is_named(order):
    blocks = [
        f"({', '.join(letter + part for part in parts)})" for parts in ("rzn", order) for letter in "WUb"
    ]
    changes = zip(blocks[:3], blocks[3:], strict=True)
    found = verdict("gru_cell", student("columns", "gru_cell", *changes))
    assert keys(found) == ["reset_update_swapped" if order == "zrn" else f"order_{order}"]
    assert not found.unchecked


def test_three_mistakes_at_once_are_named():
    function = student(
        "vectors",
        "gru_cell",
        ("r * h", "h"),
        ("+ b[", "+ 2 * b["),
        ("(1 - z) * candidate + z * h", "z * candidate + (1 - z) * h"),
    )
    found = verdict("gru_cell", function)
    assert keys(found) == ["b_twice", "reset_missing", "update_reversed"]
    assert not found.unchecked


LOSS_AS_A_MEAN = {
    "vectors": ("return loss", "return loss / T"),
    "loops": ("return total", "return total / len(table)"),
    "columns": ("return cost", "return cost / (len(tokens) - 1)"),
}
"""In the loss alone: the gradients are those of the sum."""
TURNED = {
    "vectors": ('later = dA[t] @ P["Whh"].T', 'later = dA[t] @ P["Whh"]'),
    "loops": ('P["Whh"][k, j] * blame[j]', 'P["Whh"][j, k] * blame[j]'),
    "columns": ("Whh @ gpre", "Whh.T @ gpre"),
}


@pytest.mark.parametrize(
    ("style", "changes", "named"),
    [
        (
            "columns",
            [("gE[tokens[t - 1]] +=", "gE[tokens[t - 1]] ="), ('out["h0"] = from_future', "")],
            ["embedding_assigned", "h0_missing"],
        ),
        (
            "vectors",
            [("np.add.at(dE, ids[:-1], dA @", "dE[ids[:-1]] += (dA @"), ('"h0": later', '"h0": 0 * later')],
            ["embedding_assigned", "h0_missing"],
        ),
        (
            "loops",
            [
                ("+= new[j] * wrong[w]", "+= old[j] * wrong[w]"),
                ("+= old[k] * blame[j]", "+= new[k] * blame[j]"),
            ],
            ["output_off_by_one", "recurrent_off_by_one"],
        ),
        (
            "vectors",
            [
                ("np.add.at(dE, ids[:-1], dA @", "dE[ids[:-1]] += (dA @"),
                ("H[1:].T @ dlogits", "H[:-1].T @ dlogits"),
                ("H[:-1].T @ dA", "dA.T @ H[:-1]"),
            ],
            ["embedding_assigned", "outer_transposed", "output_off_by_one"],
        ),
    ],
)
def test_more_than_three_are_named_where_no_value_shows_more_than_two(style, changes, named):
    function = student(style, "rnn_bptt", LOSS_AS_A_MEAN[style], TURNED[style], *changes)
    found = verdict("rnn_bptt", function)
    assert keys(found) == sorted([*named, "mean", "transpose_missing"])
    assert not found.unchecked
    assert not found.right


def test_of_many_mistakes_none_is_named_when_one_value_stays_unexplained():
    """The bias's gradient alone is none that is known."""
    changes = [
        LOSS_AS_A_MEAN["vectors"],
        TURNED["vectors"],
        ("H[1:].T @ dlogits", "H[:-1].T @ dlogits"),
        ("dlogits.sum(axis=0)", "3.3 * dlogits.sum(axis=0)"),
    ]
    found = verdict("rnn_bptt", student("vectors", "rnn_bptt", *changes))
    assert not found.mistakes
    assert "No known mistake" in found.unchecked[0]


def test_hints_are_sentences_and_keys_name_one_mistake():
    for name in NAMES:
        known = mistakes(name)
        assert len({mistake.key for mistake in known}) == len(known) > 5
        for mistake in known:
            assert mistake.hint[-1] in ".?"
            assert mistake.title[0].islower() or mistake.title.startswith(("1", "σ", "Whh"))
        assert {slip.mistake.key for slip in KNOWN[name].slips} <= {mistake.key for mistake in known}
