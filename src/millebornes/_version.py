"""The version of the package. The version is defined only here."""

__all__ = ["__version__"]

__version__ = "0.1.0"
