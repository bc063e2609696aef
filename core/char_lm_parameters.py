"""The parameters of a character model: where they start, and what their names and shapes say of the model.

A flat mapping from names to arrays, all float32 or all float64, for a vocabulary of V characters:

    E (V, d)                                                  a row for each character
    W1 (d, G·d_h), U1 (d_h, G·d_h), b1 (G·d_h,)               first layer, G gates as in `core.cells`
    W2, W3 (d_h, G·d_h), U2, U3, b2, b3                       more layers
    Why (d_h, V), by (V,)                                     softmax
    P (d_h, d)                                                tied and d ≠ d_h: in the place of Why, h P Eᵀ

In a tied model softmax and embedding share E (Press and Wolf, 2017; Inan, Khosravi and Socher, 2017); there is
no Why.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.cells import PARTS
from core.draws import generator
from core.initialisation import uniform_weights, with_forget_bias
from core.matrices import recurrent_matrix
from core.validation import check_shape, finite_number, one_of, whole_number, yes_or_no

Parameters = Mapping[str, np.ndarray]

MOST_LAYERS = 3


@dataclass(frozen=True)
class ModelShape:
    """What kind of model it is."""

    cell: str
    layers: int
    vocabulary: int
    embedding_size: int
    hidden_size: int
    tied: bool = False

    def __post_init__(self):
        one_of("cell", self.cell, PARTS)
        whole_number("layers", self.layers, least=1, most=MOST_LAYERS)
        for name in ("vocabulary", "embedding_size", "hidden_size"):
            whole_number(name, getattr(self, name), least=1)
        yes_or_no("tied", self.tied)

    @property
    def states(self) -> int:
        """Of how many parts a layer's state consists: h, or h and c."""
        return 2 if self.cell == "lstm" else 1

    def input_size(self, layer: int) -> int:
        """What a layer, counted from 1, reads: embeddings, or the units beneath."""
        return self.embedding_size if layer == 1 else self.hidden_size

    def arrays(self) -> dict[str, tuple[int, ...]]:
        """The shape of every parameter, in their order."""
        size, width = self.hidden_size, PARTS[self.cell] * self.hidden_size
        shapes = {"E": (self.vocabulary, self.embedding_size)}
        for layer in range(1, self.layers + 1):
            shapes |= {
                f"W{layer}": (self.input_size(layer), width),
                f"U{layer}": (size, width),
                f"b{layer}": (width,),
            }
        if not self.tied:
            shapes["Why"] = (size, self.vocabulary)
        elif self.embedding_size != size:
            shapes["P"] = (size, self.embedding_size)
        return shapes | {"by": (self.vocabulary,)}

    def state_shape(self, batch: int) -> tuple[int, ...]:
        """(layers, states, B, d_h) for B rows read side by side."""
        return self.layers, self.states, batch, self.hidden_size

    def zero_state(self, batch: int, dtype: np.dtype) -> np.ndarray:
        """The state before any text."""
        return np.zeros(self.state_shape(batch), dtype)


def initial_parameters(
    shape: ModelShape, seed: int, forget_bias: float = 1.0, dtype: type = np.float32
) -> dict[str, np.ndarray]:
    """Random parameters: everything from U(−1/√d_h, 1/√d_h) and E from N(0, 1), as PyTorch draws them, but for

    - U of a plain RNN, which is orthogonal: ρ = σ_max = 1 (Saxe, McClelland and Ganguli, 2014);
    - the forget part of an LSTM's bias, which is ``forget_bias``;
    - E of a tied model, from N(0, 1/d), since it also makes the logits, and they should start small.

    Draws depend on the seed and sizes alone. Raises ValueError for a seed below 0, a forget bias that is not
    finite, and a dtype other than float32 and float64.
    """
    seed = whole_number("seed", seed, least=0)
    forget_bias = finite_number("forget_bias", forget_bias)
    one_of("dtype", np.dtype(dtype).name, ("float32", "float64"))
    size, sizes = shape.hidden_size, shape.arrays()
    parameters = {"E": generator("embeddings", size, seed).standard_normal(sizes["E"])}
    if shape.tied:
        parameters["E"] /= np.sqrt(shape.embedding_size)
    seeds = [seed, *np.random.SeedSequence(seed).generate_state(MOST_LAYERS - 1).tolist()]
    for layer, own in zip(range(1, shape.layers + 1), seeds, strict=False):
        W, U, b = uniform_weights(shape.cell, shape.input_size(layer), size, own)
        if shape.cell == "rnn":
            U = recurrent_matrix("orthogonal", size, 1.0, own)
        if shape.cell == "lstm":
            b = with_forget_bias(b, forget_bias)
        parameters |= {f"W{layer}": W, f"U{layer}": U, f"b{layer}": b}
    bound = 1 / np.sqrt(size)
    for name, stream in (("Why", "output_weights"), ("P", "output_weights"), ("by", "output_bias")):
        if name in sizes:
            parameters[name] = generator(stream, size, seed).uniform(-bound, bound, sizes[name])
    return {name: array.astype(dtype) for name, array in parameters.items()}


def model_shape(parameters: Parameters) -> ModelShape:
    """The model that parameters belong to, read off their names and shapes.

    Raises ValueError for what is no mapping, arrays that are not all float32 or all float64, names that are
    missing or not known, and shapes that do not fit together. Values are not looked at: where they are not
    finite the loss is not either.
    """
    if not isinstance(parameters, Mapping) or not {"E", "W1", "U1", "b1", "by"} <= set(parameters):
        got = ", ".join(map(str, parameters)) if isinstance(parameters, Mapping) else repr(parameters)
        raise ValueError(f"parameters must have the names E, W1, U1, b1, by and more, got {got}")
    _check_types(parameters)
    check_shape("E", parameters["E"], ("V", "d"))
    check_shape("U1", parameters["U1"], ("d_h", "G·d_h"))
    size, width = parameters["U1"].shape
    cells = {parts * size: cell for cell, parts in PARTS.items()}
    if width not in cells:
        raise ValueError(
            f"U1 must have shape (d_h, G·d_h) with G of {', '.join(map(str, sorted(PARTS.values())))}, "
            f"got {parameters['U1'].shape}"
        )
    layers = sum(f"U{layer}" in parameters for layer in range(1, MOST_LAYERS + 1))
    shape = ModelShape(cells[width], layers, *parameters["E"].shape, size, "Why" not in parameters)
    check_arrays("parameters", parameters, shape)
    return shape


def check_arrays(name: str, arrays: Parameters, shape: ModelShape) -> None:
    """Refuse arrays that have not the names and shapes of the model's parameters."""
    expected = shape.arrays()
    if set(arrays) != set(expected):
        raise ValueError(f"{name} must have the names {', '.join(expected)}, got {', '.join(arrays)}")
    for key, want in expected.items():
        check_shape(key, arrays[key], want)


def _check_types(parameters: Parameters) -> None:
    types = {getattr(array, "dtype", type(array)) for array in parameters.values()}
    if types not in ({np.dtype(np.float32)}, {np.dtype(np.float64)}):
        raise ValueError(
            "parameters must be arrays of float32 or of float64, all alike, "
            f"got {', '.join(sorted(map(str, types)))}"
        )
