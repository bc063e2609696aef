"""The exercises lab."""
