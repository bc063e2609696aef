"""The cliff lab."""
