"""What sharing the weights of softmax and embedding saves, for networks of a size that has a name."""

from dataclasses import replace

from core.cost import Network, parameters
from widgets.base.frame import Table
from widgets.base.numbers import percent


def _lstm(width: int, vocabulary: int, hidden_size: int | None = None, layers: int = 2) -> Network:
    return Network("lstm", width, hidden_size or width, layers, vocabulary)


NETWORKS = {
    "words, small, Zaremba 2014": _lstm(200, 10_000),
    "words, medium, the same": _lstm(650, 10_000),
    "words, large, the same": _lstm(1500, 10_000),
    "words of WikiText-103": _lstm(400, 267_735),
    "65 characters": _lstm(32, 65, hidden_size=128, layers=1),
    "27 characters": _lstm(32, 27, hidden_size=128, layers=1),
}


def table() -> Table:
    """A row for each network: what is saved, its sum untied and tied, and the sizes that make it."""
    counts = [
        (net, parameters(net).total, parameters(replace(net, tied=True)).total) for net in NETWORKS.values()
    ]
    return Table(
        "What tying softmax and embedding saves: numbers learnt by LSTM networks, of two layers for words and one for "
        "characters. V is the vocabulary; embeddings and layers have the widths that stand behind it. Where these "
        "differ a projection comes in between, which with few characters may cost more than is saved.",
        ["network", "share saved", "saved", "untied", "tied", "V", "d", "d_h"],
        [
            list(NETWORKS),
            [percent((untied - tied) / untied) for _, untied, tied in counts],
            [_grouped(untied - tied) for _, untied, tied in counts],
            [_grouped(untied) for _, untied, _ in counts],
            [_grouped(tied) for _, _, tied in counts],
            [_grouped(net.vocabulary) for net, _, _ in counts],
            [_grouped(net.input_size) for net, _, _ in counts],
            [_grouped(net.hidden_size) for net, _, _ in counts],
        ],
    )


def _grouped(number: int) -> str:
    return f"{number:,}".replace("-", "−")
