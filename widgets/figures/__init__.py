"""What is drawn: the house style, axes and their policy, exits, tooltips, pins, and what of a frame is sent."""
