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
from core.cost import Network


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


def test_a_layer_that_reads_another_width_than_it_gives():
    """By hand, d = 3 and n = 4: three projections of 3·4, one of 4·4, four biases; token 5 meets 5 keys and values."""
    assert attention_parameters(4, 3) == 36 + 16 + 16
    assert token_work(4, 5, 3) == 36 + 16 + 2 * 20
    assert sequence_token_work(4, 5, 3) == sum(token_work(4, t, 3) for t in range(1, 6))
    assert kept_for_training(4, 5, input_size=3) == 5 * (3 + 4 * 4) + 15
    assert token_work(4, 5, 4) == token_work(4, 5)


@pytest.mark.parametrize(
    ("network", "work", "position"),
    [
        (Network("rnn", 128, 128), 32_768, 1),
        (Network("gru", 128, 128), 98_304, 129),
        (Network("lstm", 128, 128), 131_072, 257),
        (Network("lstm", 128, 256), 393_216, 449),
        (Network("lstm", 65, 128), 98_816, 225),
        (Network("gru", 32, 128), 61_440, 129),
        (Network("lstm", 128, 256, layers=2, vocabulary=50, tied=True), 524_288, 513),
        (Network("lstm", 128, 256, directions=2), 786_432, 321),
        (Network("lstm", 128, 256, layers=2, directions=2), 1_572_864, 513),
    ],
)
def test_from_where_on_attention_is_dearer_than_the_top_layer(network, work, position):
    """The work of the layer by hand; attention reads what the layer reads, and gives what it gives."""
    read = network.read_sizes()[-1]
    assert dearer_from(network) == position
    assert token_work(network.output_size, position, read) > work
    assert position == 1 or token_work(network.output_size, position - 1, read) <= work


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
        (lambda wrong: attention_parameters(1, wrong), "input_size"),
        (lambda wrong: token_work(1, 1, wrong), "input_size"),
        (lambda wrong: sequence_token_work(1, 1, wrong), "input_size"),
        (lambda wrong: kept_for_training(1, 1, input_size=wrong), "input_size"),
    ):
        with pytest.raises(ValueError, match=rf"^{name} must be an integer of at least 1, got 0"):
            count(0)
    with pytest.raises(ValueError, match=r"^heads must divide the width 8, got 3"):
        kept_for_training(8, 5, heads=3)
    with pytest.raises(ValueError, match=r"^network must be a Network, got 'attention'"):
        dearer_from("attention")
