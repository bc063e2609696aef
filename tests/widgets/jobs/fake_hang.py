"""A module that a worker does not come to the end of."""

import time

time.sleep(60)
