"""The maxims, with a module for each family, their weights, and a sentence for each maxim."""
