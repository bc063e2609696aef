"""The page of one lab: what it says, its controls, and the JavaScript that shows it."""
