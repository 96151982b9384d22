"""Every test that lays a table plays it twice: with lists of cards, and with the kernels."""

import pytest

from tests.rules.table import Tables


@pytest.fixture(params=["cards", "kernels"])
def tables(request: pytest.FixtureRequest) -> Tables:
    """Lays tables for one of the two games."""
    return Tables(request.param)
