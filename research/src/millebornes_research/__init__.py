"""The laboratory behind `millebornes`, which makes and measures its players. The product never imports it."""

__all__: list[str] = []
