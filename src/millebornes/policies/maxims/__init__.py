"""The maxims: one module a family, their weights, and what each says in words."""
