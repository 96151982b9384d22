"""Results of the laboratory are records whose fields all say what they mean."""

from types import ModuleType

import pytest

from millebornes_research.lab import results
from millebornes_research.pool import gains, report
from tests.arena.reporting import undocumented_fields


@pytest.mark.parametrize("module", [results, report])
def test_every_field_says_what_it_means(module: ModuleType) -> None:
    assert undocumented_fields(module) == []


def test_every_field_of_gains_says_what_it_means() -> None:
    assert not [field for field in undocumented_fields(gains) if field.startswith("GainResults")]
