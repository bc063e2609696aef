"""Long computations beside the server: a pool of worker processes that take them in turns."""
