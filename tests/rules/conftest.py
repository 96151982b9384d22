"""Every test that lays a table plays it twice: with lists of cards, and with the kernels."""

from pathlib import Path

import pytest

from tests.rules.caches import play_in
from tests.rules.table import Tables


@pytest.fixture(params=["cards", "kernels"])
def tables(request: pytest.FixtureRequest) -> Tables:
    """Lays tables for one of the two games."""
    return Tables(request.param)


@pytest.fixture(scope="session")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache in which a game has been played; to be copied, not changed."""
    cache = tmp_path_factory.mktemp("cache")
    assert play_in(cache).returncode == 0
    return cache
