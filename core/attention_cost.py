"""What a self-attention layer costs beside a recurrent one of the same width: it grows with the length.

    q, k, v = x W_Q, x W_K, x W_V        each n wide, W n × n
    p_s = softmax_s(q · k_s / √(n/heads)),    y = (Σ_s p_s v_s) W_O,    s = 1 … t

(Vaswani et al., 2017, "Attention is all you need", whose Table 1 compares the two by length.) Token t reads itself and
all before it, as a language model must (causal), and keys and values are kept rather than worked out again.

Conventions. One layer of attention, 4·n² weights and one bias of n behind each of the four: no feed-forward layers, no
normalisation, no positions. Multiply–adds are those of products: 4·n² with weights, n·t for the scores q · k_s and n·t
for the sum Σ p_s v_s, whatever the number of heads; exponentials and divisions are left out, as squashings are
in `core.cost`. The weights p are counted as kept; forms that never write them all down (Rabe and Staats, 2021; Dao et
al., 2022) are not counted.
"""

from core.cost import Network, step_cost
from core.validation import whole_number


def attention_parameters(width: int) -> int:
    """4·n² + 4·n. Raises ValueError for a width that is no integer from 1."""
    width = _width(width)
    return 4 * width * width + 4 * width


def token_work(width: int, position: int) -> int:
    """Multiply–adds forward of the token at ``position`` t, counted from 1: 4·n² + 2·n·t.

    Raises ValueError for a width or position that is no integer from 1.
    """
    width = _width(width)
    return 4 * width * width + 2 * width * _from_one("position", position)


def sequence_token_work(width: int, length: int) -> int:
    """Multiply–adds forward of a whole sequence: Σ_{t ≤ T} (4·n² + 2·n·t) = 4·n²·T + n·T·(T + 1).

    Going back takes twice as many: two products for each one forward, here as in a recurrent layer. Raises
    ValueError for a width or length that is no integer from 1.
    """
    width = _width(width)
    length = _from_one("length", length)
    return 4 * width * width * length + width * length * (length + 1)


def cache_size(width: int, position: int) -> int:
    """The keys and values that carry the past to token t: 2·n·t numbers, where a recurrent state stays as it is.

    Raises ValueError for a width or position that is no integer from 1.
    """
    return 2 * _width(width) * _from_one("position", position)


def kept_for_training(width: int, length: int, heads: int = 1) -> int:
    """The numbers that the way back reads: x, q, k, v and Σ p v of each token, and the weights p of each pair.

        5·n·T + heads·T·(T + 1)/2

    Raises ValueError for arguments that are no integers from 1, and heads that do not divide the width.
    """
    width = _width(width)
    length = _from_one("length", length)
    heads = _from_one("heads", heads)
    if width % heads:
        raise ValueError(f"heads must divide the width {width}, got {heads}")
    return 5 * width * length + heads * length * (length + 1) // 2


def attention_steps_in_a_row(layers: int) -> int:
    """The longest chain of layers each of which needs the one before: all tokens of a layer at once.

    That is so in training. To write a text takes one token after another, with attention too. Raises ValueError for
    ``layers`` that are no integer from 1.
    """
    return _from_one("layers", layers)


def dearer_from(cell: str, width: int) -> int:
    """The first position whose token costs attention more multiply–adds than one recurrent layer of that width.

    4·n² + 2·n·t > G·2·n², which is t > (G − 2)·n: beyond 2·n for an LSTM, n for a GRU, and at once for an rnn.
    Raises ValueError for another cell, and for a width that is no integer from 1.
    """
    width = _width(width)
    spare = step_cost(Network(cell, width, width)).recurrent - 4 * width * width
    return max(spare // (2 * width), 0) + 1


def _width(width: int) -> int:
    return _from_one("width", width)


def _from_one(name: str, value: int) -> int:
    return whole_number(name, value, least=1)
