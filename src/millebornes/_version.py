"""The version of the package. It is written only here."""

__all__ = ["__version__"]

__version__ = "0.1.0"
