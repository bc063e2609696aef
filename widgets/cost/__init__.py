"""The cost lab."""
