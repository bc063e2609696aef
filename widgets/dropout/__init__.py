"""The dropout lab."""
