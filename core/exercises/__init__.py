"""Five functions to write oneself, and a check that says which mistake was made, not only that there is one."""
