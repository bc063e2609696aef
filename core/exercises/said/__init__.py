"""What was found, in words: a report on one file, a table of many."""
