"""Switches with a number in them, such as "gradients_clipped:5.0"."""


def measure(prefix: str, made: frozenset[str]) -> float | None:
    """The number of the switch of this name, None where it is off."""
    for switch in made:
        if switch.startswith(f"{prefix}:"):
            return float(switch.removeprefix(f"{prefix}:"))
    return None
