"""The description of the API, taken at its word: requests by chance that fit it, and some that do not."""

from collections.abc import Iterator
from typing import Any

import pytest

schemathesis = pytest.importorskip("schemathesis")

from hypothesis import HealthCheck, given, settings  # noqa: E402
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance  # noqa: E402

from millebornes.web.http.openapi import openapi  # noqa: E402
from tests.web.client import Client  # noqa: E402
from tests.web.serving import Running, quick  # noqa: E402

pytestmark = pytest.mark.once
PATHS = openapi()["paths"]
POSITIVE = [(path, method, "positive") for path in PATHS for method in PATHS[path] if method != "parameters"]
# What has neither a body nor a query leaves nothing to be said wrongly.
NEGATIVE = [
    (path, method, "negative")
    for path, method, _mode in POSITIVE
    if "requestBody" in PATHS[path][method] or PATHS[path][method].get("parameters")
]


@pytest.fixture(scope="module")
def seat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A person at a table that plays, over a server whose streams have many beats, as so many events are read."""
    with (
        Running(tmp_path_factory.mktemp("web") / "tables.db", quick(beat=0.01)) as running,
        Client.create(running.url, places=["me", "basic"], match_target=None) as client,
    ):
        yield client


@pytest.mark.parametrize(("path", "method", "mode"), POSITIVE + NEGATIVE)
def test_the_server_does_what_is_described(seat: Client, path: str, method: str, mode: str) -> None:
    """Status, type, headers and body of each answer, for requests that fit the description, and some that do not."""
    schema = schemathesis.openapi.from_dict(openapi())
    schema.config.update(base_url=seat.url.rstrip("/"))
    at_table = {"path_parameters": {"table": seat.table}} if "{table}" in path else {}

    @settings(max_examples=25, deadline=None, database=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(schema[path][method.upper()].as_strategy(schemathesis.GenerationMode(mode), **at_table))
    def asked(case: Any) -> None:
        # What fits may still be refused, for what no description can hold: no such edition, not your turn.
        may_be = [positive_data_acceptance]
        answer = case.call(headers={"Authorization": f"Bearer {seat.token}"})
        if answer.status_code == 413:  # a body that is too long is refused before anyone reads what is wrong with it
            may_be.append(negative_data_rejection)
        case.validate_response(answer, excluded_checks=may_be)

    asked()
