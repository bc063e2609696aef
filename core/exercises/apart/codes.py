"""The exit codes of the process that runs a student's file, where it has no other way to say why it ended."""

OUT_OF_MEMORY = 3
"""There was not even the memory to tell of it."""
DISTURBED = 4
"""The file closed what the process tells through, or broke what it works with."""
