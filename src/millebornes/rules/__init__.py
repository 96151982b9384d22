"""The rules, written once as plain clauses, turned into tables, and applied by kernels to packed words."""
