"""The strategy lab: studies that measure what a way of playing is worth, and searches for better weights."""
