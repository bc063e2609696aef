"""The training lab."""
