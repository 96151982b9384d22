"""What tests of kernels share."""

from pathlib import Path

import pytest

from tests.kernels.caches import play_in


@pytest.fixture(scope="session")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache in which a game has been played; to be copied, not changed."""
    cache = tmp_path_factory.mktemp("cache")
    assert play_in(cache).returncode == 0
    return cache
