"""What a self-attention layer costs in the place of a recurrent one: it grows with the length.

    q, k, v = x W_Q, x W_K, x W_V        each n wide, W d × n
    p_s = softmax_s(q · k_s / √(n/heads)),    y = (Σ_s p_s v_s) W_O,    s = 1 … t,    W_O n × n

(Vaswani et al., 2017, "Attention is all you need", whose Table 1 compares the two by length.) Token t reads itself and
all before it, as a language model must (causal), and keys and values are kept rather than worked out again.

Conventions. One layer of attention of width n, which reads ``input_size`` numbers d, or n as in a transformer where
that is None: 3·d·n + n² weights and one bias of n behind each of the four, no feed-forward layers, no normalisation,
no positions. Multiply–adds are those of products: one for each weight, n·t for the scores q · k_s and n·t
for the sum Σ p_s v_s, whatever the number of heads; exponentials and divisions are left out, as squashings are
in `core.cost`. The weights p are counted as kept; forms that never write them all down (Rabe and Staats, 2021; Dao et
al., 2022) are not counted.
"""

from core.cost import Network, step_cost, top_layer
from core.validation import whole_number


def attention_parameters(width: int, input_size: int | None = None) -> int:
    """3·d·n + n² + 4·n, which is 4·n² + 4·n where d = n. Raises ValueError for sizes that are no integers from 1."""
    return _weights(width, input_size) + 4 * _width(width)


def token_work(width: int, position: int, input_size: int | None = None) -> int:
    """Multiply–adds forward of the token at ``position`` t, counted from 1: 3·d·n + n² + 2·n·t.

    Raises ValueError for sizes or a position that are no integers from 1.
    """
    return _weights(width, input_size) + 2 * _width(width) * _from_one("position", position)


def sequence_token_work(width: int, length: int, input_size: int | None = None) -> int:
    """Multiply–adds forward of a whole sequence: Σ_{t ≤ T} (3·d·n + n² + 2·n·t) = (3·d·n + n²)·T + n·T·(T + 1).

    Going back takes twice as many: two products for each one forward, here as in a recurrent layer. Raises
    ValueError for sizes or a length that are no integers from 1.
    """
    weights, width = _weights(width, input_size), _width(width)
    length = _from_one("length", length)
    return weights * length + width * length * (length + 1)


def cache_size(width: int, position: int) -> int:
    """The keys and values that carry the past to token t: 2·n·t numbers, where a recurrent state stays as it is.

    Raises ValueError for a width or position that is no integer from 1.
    """
    return 2 * _width(width) * _from_one("position", position)


def kept_for_training(width: int, length: int, heads: int = 1, input_size: int | None = None) -> int:
    """The numbers that the way back reads: x, q, k, v and Σ p v of each token, and the weights p of each pair.

        (d + 4·n)·T + heads·T·(T + 1)/2

    Raises ValueError for arguments that are no integers from 1, and heads that do not divide the width.
    """
    read, width = _input_size(width, input_size), _width(width)
    length = _from_one("length", length)
    heads = _from_one("heads", heads)
    if width % heads:
        raise ValueError(f"heads must divide the width {width}, got {heads}")
    return (read + 4 * width) * length + heads * length * (length + 1) // 2


def attention_steps_in_a_row(layers: int) -> int:
    """The longest chain of layers each of which needs the one before: all tokens of a layer at once.

    That is so in training. To write a text takes one token after another, with attention too. Raises ValueError for
    ``layers`` that are no integer from 1.
    """
    return _from_one("layers", layers)


def dearer_from(network: Network) -> int:
    """The first position whose token costs attention, in the place of the top layer, more multiply–adds than that.

    Attention reads what the layer reads, r numbers, and gives as many as it gives, m = D·d_h:

        3·r·m + m² + 2·m·t > D·G·(r·d_h + d_h²)

    One way, m = d_h, that is beyond (r + 3·m)/2 for an LSTM, beyond m for a GRU, and at once for an rnn. Read both
    ways, every token reads the whole text, and t is its length. Raises ValueError for what is no `Network`.
    """
    layer = top_layer(network)
    width = layer.output_size
    spare = step_cost(layer).recurrent - _weights(width, layer.input_size)
    return max(spare // (2 * width), 0) + 1


def _weights(width: int, input_size: int | None) -> int:
    """Of q, k and v, and of what is handed on."""
    width, read = _width(width), _input_size(width, input_size)
    return 3 * read * width + width * width


def _input_size(width: int, input_size: int | None) -> int:
    return _width(width) if input_size is None else _from_one("input_size", input_size)


def _width(width: int) -> int:
    return _from_one("width", width)


def _from_one(name: str, value: int) -> int:
    return whole_number(name, value, least=1)
