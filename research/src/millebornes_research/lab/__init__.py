"""The strategy lab: studies that measure how much a way of playing is worth, and searches for better weights."""
