"""What takes minutes runs only when it is asked for: `pytest -m campaign`, `pytest -m once`."""

import gc
import re
import signal
from collections.abc import Iterator

import pytest

# A shell starts what runs behind it without Control-C, `nohup` without SIGHUP, and the programs that tests interrupt
# would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Tests make many objects that live for a while, such as apps. At Python's usual pace, a third of their time would go to
# looking through all that has been loaded for garbage.
gc.set_threshold(50_000, 10, 10)

HOUR = 3600
"""Seconds that a test of a campaign may take; for all others pyproject.toml says it."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests with such a mark unless the -m option speaks of it, and let campaigns take longer."""
    unwanted = {"campaign", "once"} - set(re.findall(r"\w+", config.getoption("markexpr")))
    left_out = {item for item in items if unwanted & {mark.name for mark in item.iter_markers()}}
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]
    for item in items:
        if item.get_closest_marker("campaign"):
            item.add_marker(pytest.mark.timeout(HOUR))


@pytest.fixture
def interruptible() -> Iterator[None]:
    """What is started here can be interrupted, also where the tests run behind `nohup` or `&` and cannot be."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
