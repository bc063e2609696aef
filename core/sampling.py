"""Writing with a trained character model: each character drawn from the model's distribution, then read by it.

    p(v) ∝ exp(z_v / τ)

With the temperature τ = 1 these are the model's own probabilities; below it the likely becomes likelier, and at
its end stands greedy decoding, which always takes the likeliest; above it everything evens out.
"""

from collections.abc import Callable

import numpy as np

from core.activations import softmax
from core.char_lm import output_weights
from core.char_lm_parameters import Parameters, model_shape
from core.dropout_masks import Masks
from core.reading import check_vocabulary
from core.recurrent_stack import RecurrentStack
from core.text import Vocabulary
from core.validation import finite_number, whole_number


def sample(
    parameters: Parameters,
    vocabulary: Vocabulary,
    prompt: str,
    length: int,
    temperature: float,
    rng: np.random.Generator,
) -> str:
    """``length`` characters after the ``prompt``, drawn at a temperature τ.

    Raises ValueError for an empty prompt or one with characters that the vocabulary does not hold, a length
    below 0, a temperature that is not finite and above 0, a vocabulary of another size than the model's, and
    for parameters as `model_shape` does or whose logits are not finite.
    """
    temperature = finite_number("temperature", temperature, above=0)

    def draw(logits: np.ndarray) -> int:
        with np.errstate(over="ignore"):
            scaled = (logits - logits.max()) / temperature
        rising = np.cumsum(softmax(scaled))
        return int(np.searchsorted(rising, rng.random() * rising[-1], side="right"))

    return _written(parameters, vocabulary, prompt, length, draw)


def greedy(parameters: Parameters, vocabulary: Vocabulary, prompt: str, length: int) -> str:
    """``length`` characters after the ``prompt``, each the likeliest, of equals the first; refusals as `sample`'s."""
    return _written(parameters, vocabulary, prompt, length, lambda logits: int(logits.argmax()))


def _written(
    parameters: Parameters,
    vocabulary: Vocabulary,
    prompt: str,
    length: int,
    choose: Callable[[np.ndarray], int],
) -> str:
    shape, dtype = model_shape(parameters), parameters["E"].dtype
    check_vocabulary(vocabulary, shape)
    length = whole_number("length", length, least=0)
    read = vocabulary.encode(prompt).tolist()
    if not read:
        raise ValueError("prompt must have at least one character, for the model to go on from, got none")
    stack, state = RecurrentStack(shape, 1, 1, dtype), shape.zero_state(1, dtype)
    Why, by = output_weights(parameters), parameters["by"]
    written = []
    for position in range(len(read) + length - 1):
        character = read[position] if position < len(read) else written[-1]
        hidden = stack.forward(parameters, np.array([[character]]), state, Masks())
        state = stack.last_state()
        if position >= len(read) - 1:
            logits = (hidden[0, 0] @ Why + by).astype(np.float64)
            if not np.isfinite(logits).all():
                raise ValueError("parameters must give finite logits, got some that are not")
            written.append(choose(logits))
    return vocabulary.decode(np.array(written, np.int64))
