"""The rules, written once as plain clauses, tabulated, and played by kernels over packed words."""
