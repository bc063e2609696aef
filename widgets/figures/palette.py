"""One colour means one thing, in every lab and in both themes.

A glyph carries its meaning as a tag (`role:lstm`), never a bare colour; the page swaps the shade with
the theme. Colour never stands alone: each role also has its own dash or marker.
"""

LIGHT_PAPER, DARK_PAPER = "#FFFFFF", "#121212"

PINNED = "pinned"
"""The tag of a curve that a pin keeps as a ghost."""
GHOST = "ghost"
"""The tag of what a pin has kept."""

# role: (on white, on #121212)
ROLES = {
    "tanh": ("#B84A00", "#FF8A4C"),
    "lstm": ("#0067A3", "#5BB4F0"),
    "gru": ("#007A5A", "#35C59A"),
    "linear": ("#6B6B6B", "#A8A8A8"),
    "bound": ("#9C4A78", "#E2A0C6"),
    "cell": ("#1F78A8", "#8FD0F5"),
    "input": ("#6A3FB5", "#B79CFF"),
    "followed": ("#8A6500", "#E0B84A"),
    "rival": ("#B3204D", "#FF8C9E"),
    "reference": ("#222222", "#EEEEEE"),
}


def shade(role: str) -> str:
    """The colour of a role before the page's theme is known; `*` stands for several roles at once."""
    if role != "*" and role not in ROLES:
        raise ValueError(f"role must be one of {', '.join(ROLES)}, or * for several, got {role!r}")
    return ROLES.get(role, ROLES["reference"])[0]


def colour_variables() -> str:
    """The palette as CSS variables for both themes, `--lstm` and so on."""
    light, dark = ("; ".join(f"--{role}: {ROLES[role][theme]}" for role in ROLES) for theme in (0, 1))
    return f":root {{ {light} }}\n:root[data-theme='dark'] {{ {dark} }}\n"
