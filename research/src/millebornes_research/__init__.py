"""The laboratory behind `millebornes`: it makes and measures the players, and never ships with them."""

__all__: list[str] = []
