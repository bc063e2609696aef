"""The known mistakes in the order of stacked gates, in words."""

from core.exercises.judged.mistakes.orders import other_orders
from core.exercises.judged.mistakes.slips import Slip, slip


def wrong_orders(parts: str, pairs: dict[str, tuple[str, str]]) -> tuple[Slip, ...]:
    """A slip for every other order in which the blocks can be read; ``pairs`` names those that have a name."""
    return tuple(_read(parts, switch, pairs) for switch in other_orders("order", parts))


def wrong_orders_back(parts: str) -> tuple[Slip, ...]:
    """A slip for every other order in which the errors of blocks rightly read can be put together."""
    return tuple(
        slip(
            f"errors_in_order_{_letters(switch)}",
            f"the errors are put together in the order {_spaced(switch)}",
            f"Blocks of columns lie in the order {_spaced(parts)}, in the gradients as in W, U and b.",
            switch,
            group="order_back",
            rare=True,
        )
        for switch in other_orders("order_back", parts)
    )


def _read(parts: str, switch: str, pairs: dict[str, tuple[str, str]]) -> Slip:
    order = _letters(switch)
    key, title = pairs.get(order, (f"order_{order}", f"the blocks are read in the order {_spaced(order)}"))
    hint = f"Which columns of W, U and b belong to which part? You read them as {_spaced(order)}."
    return slip(key, title, hint, switch, group="order", rare=order not in pairs)


def _letters(switch: str) -> str:
    return switch.split(":")[-1]


def _spaced(switch: str) -> str:
    return ", ".join(_letters(switch))
