"""The rules: written once as plain functions, evaluated into tables, and applied to packed words by kernels."""
