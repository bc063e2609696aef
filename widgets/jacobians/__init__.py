"""The Jacobian lab."""
