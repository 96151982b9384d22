"""The version of the package. The version is defined only here."""

__version__ = "0.1.0"
