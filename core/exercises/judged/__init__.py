"""What came of a student's functions, judged: nothing here runs a file."""
