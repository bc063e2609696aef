import numpy as np
import pytest

from core.char_lm_parameters import ModelShape
from core.reading import next_distributions
from core.sampling import greedy, sample
from core.text import Vocabulary

LETTERS = Vocabulary(tuple("abcde"))


def model(cell="lstm", tied=False, seed=1):
    shape = ModelShape(cell, 2, 5, 3, 4, tied)
    rng = np.random.default_rng(seed)
    return {name: rng.normal(size=size) for name, size in shape.arrays().items()}


def memoryless(by):
    """A model that says the same after any text."""
    return model() | {"Why": np.zeros((4, 5)), "by": np.array(by, float)}


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_greedy_decoding_takes_the_likeliest_after_all_that_was_written(cell, tied):
    P, text = model(cell, tied), "cab"
    for _ in range(12):
        text += LETTERS.decode(next_distributions(P, LETTERS.encode(text))[-1:].argmax(axis=1))
    assert greedy(P, LETTERS, "cab", 12) == text[3:]
    assert len(set(text)) > 1


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_frequencies_are_the_probabilities_at_that_temperature(temperature):
    by = [0.0, 1, -1, 2, -30]
    text = sample(memoryless(by), LETTERS, "a", 4000, temperature, np.random.default_rng(0))
    weights = np.exp(np.array(by) / temperature)
    expected = weights / weights.sum()
    for letter, p in zip("abcde", expected, strict=True):
        assert text.count(letter) / 4000 == pytest.approx(p, abs=5 * np.sqrt(p * (1 - p) / 4000))


def test_a_draw_follows_the_state_and_the_generator_alone():
    """Redrawn by hand from the distributions of all that was written so far."""
    P = model()
    text = sample(P, LETTERS, "ab", 15, 1.0, np.random.default_rng(5))
    assert text == sample(P, LETTERS, "ab", 15, 1.0, np.random.default_rng(5))
    assert text != sample(P, LETTERS, "ab", 15, 1.0, np.random.default_rng(6))
    rng, by_hand = np.random.default_rng(5), "ab"
    for _ in range(15):
        p = next_distributions(P, LETTERS.encode(by_hand))[-1]
        by_hand += "abcde"[np.flatnonzero(np.cumsum(p) > rng.random())[0]]
    assert text == by_hand[2:]


def test_a_temperature_near_zero_is_greedy_and_does_not_overflow():
    P = model()
    assert sample(P, LETTERS, "ab", 20, 5e-324, np.random.default_rng(0)) == greedy(P, LETTERS, "ab", 20)
    even = sample(memoryless([0, 1, -1, 2, 3]), LETTERS, "a", 2000, 1e300, np.random.default_rng(0))
    assert min(map(even.count, "abcde")) > 300


def test_a_length_of_zero_writes_nothing():
    assert sample(model(), LETTERS, "abc", 0, 1.0, np.random.default_rng(0)) == ""
    assert greedy(model(), LETTERS, "a", 1) in "abcde"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"prompt": ""}, "prompt must have at least one character"),
        ({"prompt": "abx"}, "text must hold only the 5 characters of the vocabulary, got 'x'"),
        ({"prompt": 3}, "text must be a string"),
        ({"length": -1}, "length must be an integer of at least 0, got -1"),
        ({"length": 1.5}, "length must be an integer of at least 0, got 1.5"),
        ({"temperature": 0}, "temperature must be a finite number above 0, got 0"),
        ({"temperature": float("inf")}, "temperature must be a finite number above 0, got inf"),
        ({"vocabulary": Vocabulary(tuple("abc"))}, "vocabulary must have the model's 5 characters, got 3"),
        ({"parameters": {}}, "parameters must have the names"),
        ({"parameters": memoryless([0, np.nan, 0, 0, 0])}, "parameters must give finite logits"),
    ],
)
def test_what_does_not_fit_is_refused(change, message):
    asked = {
        "parameters": model(),
        "vocabulary": LETTERS,
        "prompt": "ab",
        "length": 3,
        "temperature": 1.0,
        "rng": np.random.default_rng(0),
    } | change
    with pytest.raises(ValueError, match=f"^{message}"):
        sample(**asked)
    if "temperature" not in change:
        del asked["temperature"], asked["rng"]
        with pytest.raises(ValueError, match=f"^{message}"):
            greedy(**asked)
