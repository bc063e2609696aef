"""A student's file run apart from everything else, and what came of it: nothing here knows what is right."""
