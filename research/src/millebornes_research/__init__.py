"""The laboratory behind `millebornes`: it makes and measures the players, and is never part of the product."""

__all__: list[str] = []
