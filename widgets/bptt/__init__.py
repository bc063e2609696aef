"""The BPTT lab."""
