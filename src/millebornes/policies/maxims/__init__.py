"""The maxims: one module for each family, their weights, and the sentence of each."""
