"""The version of the package. This is the only place that defines it."""

__all__ = ["__version__"]

__version__ = "0.1.0"
