"""When work is done: at the hand's pace, before the first picture, or beside it."""
