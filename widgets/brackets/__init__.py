"""The bracket lab."""
