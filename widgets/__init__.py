"""The labs, and the few parts that all labs share."""
