import numpy as np
import pytest

from core.attention_cost import (
    attention_parameters,
    attention_steps_in_a_row,
    cache_size,
    dearer_from,
    kept_for_training,
    sequence_token_work,
    token_work,
)
from core.cost import Network, step_cost


def test_parameters_by_hand():
    assert attention_parameters(3) == 4 * 9 + 4 * 3
    assert attention_parameters(128) == 66_048


def test_a_token_reads_itself_and_all_before():
    """The products of the fifth token, two heads of two: shapes of projections, scores and sums written out."""
    width, position, heads = 4, 5, 2
    projections = 4 * width * width
    scores = sum(width // heads for _ in range(heads) for _ in range(position))
    assert token_work(width, position) == projections + 2 * scores == 104
    assert sequence_token_work(width, position) == sum(token_work(width, t) for t in range(1, position + 1))


def test_the_cache_grows_by_a_key_and_a_value_with_each_token():
    keys = np.empty((7, 16))
    assert cache_size(16, 7) == 2 * keys.size
    assert cache_size(16, 8) - cache_size(16, 7) == 32


def test_what_the_way_back_reads():
    """x, q, k, v and the sums are (T, n) each; the weights a triangle (T, T) for each head, the diagonal with it."""
    length, width, heads = 6, 8, 4
    triangle = np.tril(np.ones((length, length))).sum()
    assert kept_for_training(width, length, heads) == 5 * length * width + heads * triangle
    assert kept_for_training(width, 1) == 5 * width + 1


@pytest.mark.parametrize(("cell", "position"), [("rnn", 1), ("gru", 129), ("lstm", 257)])
def test_from_where_on_attention_is_dearer(cell, position):
    recurrent = step_cost(Network(cell, 128, 128)).recurrent
    assert dearer_from(cell, 128) == position
    assert token_work(128, position) > recurrent
    assert position == 1 or token_work(128, position - 1) <= recurrent


def test_all_tokens_of_a_layer_go_at_once():
    assert attention_steps_in_a_row(3) == 3


def test_what_is_out_of_range_is_refused_by_name():
    for count, name in (
        (attention_parameters, "width"),
        (attention_steps_in_a_row, "layers"),
        (lambda wrong: token_work(wrong, 1), "width"),
        (lambda wrong: token_work(1, wrong), "position"),
        (lambda wrong: sequence_token_work(wrong, 1), "width"),
        (lambda wrong: sequence_token_work(1, wrong), "length"),
        (lambda wrong: cache_size(wrong, 1), "width"),
        (lambda wrong: cache_size(1, wrong), "position"),
        (lambda wrong: kept_for_training(wrong, 1), "width"),
        (lambda wrong: kept_for_training(1, wrong), "length"),
        (lambda wrong: kept_for_training(1, 1, wrong), "heads"),
        (lambda wrong: dearer_from("lstm", wrong), "width"),
    ):
        with pytest.raises(ValueError, match=rf"^{name} must be an integer of at least 1, got 0"):
            count(0)
    with pytest.raises(ValueError, match=r"^heads must divide the width 8, got 3"):
        kept_for_training(8, 5, heads=3)
    with pytest.raises(ValueError, match=r"^cell must be one of rnn, lstm, gru, got 'attention'"):
        dearer_from("attention", 8)
