"""The settings that made some curves, in words, so that curves of other settings can be told from them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Described:
    """What a pin says."""

    each: Mapping[str, str]
    """Every setting by its name: `Weight w = 1.5`."""
    always: Collection[str] = ()
    """Names of those that are said whatever the others are."""

    def text(self, *others: "Described") -> str:
        """First what is not as in the first of the others, then what is not as in the next, then the rest."""
        apart = [name for other in others for name, said in self.each.items() if other.each[name] != said]
        rest = [name for name in self.each if name in self.always]
        return ", ".join(self.each[name] for name in dict.fromkeys(apart + rest)) or "default settings"
