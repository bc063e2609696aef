"""What labs declare and say: frames, settings, numbers as people write them, formulas, export."""
