"""The strategy lab: studies that measure what playing this way or that is worth, and searches for better weights."""
