"""Long campaigns run only when they are asked for: `pytest -m campaign`."""

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests marked `campaign` unless the -m option speaks of them."""
    if "campaign" in config.getoption("markexpr"):
        return
    chosen = [item for item in items if item.get_closest_marker("campaign") is None]
    config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("campaign")])
    items[:] = chosen
