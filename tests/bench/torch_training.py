"""The plain PyTorch way to train the character model of `core.char_lm`: modules, Adam, clipping, one thread."""

from collections.abc import Iterator

import numpy as np
import torch
from torch.nn.functional import cross_entropy

torch.set_num_threads(1)

LAYERS = {"rnn": torch.nn.RNN, "lstm": torch.nn.LSTM, "gru": torch.nn.GRU}


class Model(torch.nn.Module):
    """Embedding, one recurrent layer, softmax, with given weights.

    The second of PyTorch's two biases stays at zero, since its gradient would make every step of the first
    one twice as long. A GRU is PyTorch's, with its reset gate after the product.
    """

    def __init__(self, cell: str, parameters: dict[str, np.ndarray]):
        super().__init__()
        P = {name: torch.tensor(array) for name, array in parameters.items()}
        vocabulary, embedding_size = P["E"].shape
        hidden_size = len(P["U1"])
        self.embedding = torch.nn.Embedding(vocabulary, embedding_size)
        self.recurrent = LAYERS[cell](embedding_size, hidden_size, batch_first=True)
        self.softmax = torch.nn.Linear(hidden_size, vocabulary)
        self.recurrent.bias_hh_l0.requires_grad_(False)
        with torch.no_grad():
            self.embedding.weight.copy_(P["E"])
            self.recurrent.weight_ih_l0.copy_(P["W1"].T)
            self.recurrent.weight_hh_l0.copy_(P["U1"].T)
            self.recurrent.bias_ih_l0.copy_(P["b1"])
            self.recurrent.bias_hh_l0.zero_()
            self.softmax.weight.copy_(P["Why"].T)
            self.softmax.bias.copy_(P["by"])


def losses(
    model: Model, chunks: list[tuple[np.ndarray, np.ndarray]], learning_rate: float, clip_norm: float
) -> Iterator[float]:
    """The loss of each step, over the chunks again and again, from zeros at each beginning."""
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.Adam(trained, lr=learning_rate)
    chunks = [tuple(map(torch.tensor, chunk)) for chunk in chunks]
    while True:
        state = None
        for inputs, targets in chunks:
            optimizer.zero_grad()
            hidden, state = model.recurrent(model.embedding(inputs), state)
            loss = cross_entropy(model.softmax(hidden).flatten(0, 1), targets.flatten())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, clip_norm)
            optimizer.step()
            state = tuple(part.detach() for part in state) if isinstance(state, tuple) else state.detach()
            yield loss.item()
