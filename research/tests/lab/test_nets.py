"""The study of the nets at tables that they have not learned: what it plays, counts and shows."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from millebornes.arena.executors import open_workers
from millebornes.cli import cli
from millebornes.editions import make_rules
from millebornes.errors import SaveError
from millebornes.policies.batch import KernelPlayer, play_batch
from millebornes.policies.net_choice import BSD, CLASSIC, TABLES, NetChoice, alike, nearest_net
from millebornes_research.lab.lab import Lab
from millebornes_research.lab.nets import NetContrast, Nets

pytestmark = pytest.mark.slow  # the kernels take long to compile


def test_a_net_is_measured_as_it_plays() -> None:
    rules = make_rules(settings={"all_safeties_bonus": 700})
    nearest = nearest_net(rules)
    assert nearest is not None
    other = NetChoice(TABLES, make_rules("house"), 0)
    study = NetContrast.of(rules, [nearest, other], deals=40, target=None, seed=5)
    counts = study.count(range(40))
    players = [KernelPlayer.named(name, rules) for name in ("maxims", "instant")]
    points = play_batch(rules, players, [[1, 0], [0, 1]], 40, seed=5).points
    lead = points[:, 0, 0] - points[:, 0, 1] + points[:, 1, 1] - points[:, 1, 0]
    assert counts["lead"][:, 0].tolist() == [40, lead.sum(), (lead * lead).sum()]
    assert counts["lead"][1, 1] != counts["lead"][1, 0]


def test_each_table_says_which_net_plays_and_whether_that_pays() -> None:
    rules = make_rules("classic", 3, 3)
    nets = Nets(rules, hands=30, matches=6, mixed=2, seed="1")
    settings, rule = nets.sheets([study.count(range(study.deals)) for study in nets.studies])
    rows = {row["changes"]: row for row in settings.rows}
    assert len(rows) == len(nets.cases) > 25
    assert rows["as it is"]["net"] == "tables as classic 3x3"
    assert (rows["as it is"]["apart"], rows["as it is"]["plays"]) == (0, "nearest")
    assert rows["targets=left"]["plays"] == "any"
    assert "tie=play_on" in settings.title
    assert "match_share" in rows["as it is"]
    assert sum(row["tables"] for row in rule.rows) == len(rows)
    assert {row["plays"] for row in settings.rows} == {"nearest", "any"}
    for row in rule.rows:
        assert row["pays"] + row["unclear"] + row["costs"] == row["tables"]


def test_at_two_seats_all_nets_are_measured_and_equal_games_are_not() -> None:
    nets = Nets(make_rules(), hands=2, mixed=3)
    assert {case.nearest.file for case in nets.cases} | {case.other.file for case in nets.cases if case.other} == {
        BSD,
        CLASSIC,
        TABLES,
    }
    assert nets.same == ["targets=left", "hand_end=plays", "hand_end=points", "tie=play_on"]
    assert [case.changes for case in nets.cases if alike(case.rules) == alike(make_rules())] == ["as it is"]
    assert nets.estimate([study.count(range(1)) for study in nets.studies]).endswith("points a hand")


def test_a_file_of_other_nets_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "nets.json"
    with open_workers() as workers:
        Lab([Nets(make_rules("classic", 8, 8), hands=8, mixed=0)], "1", resume=path).run(workers)
    assert Lab([Nets(make_rules("classic", 8, 8), hands=8, mixed=0)], "1", resume=path).complete
    monkeypatch.setattr("millebornes_research.lab.nets._digest", lambda file: "another")
    with pytest.raises(SaveError, match="another run"):
        Lab([Nets(make_rules("classic", 8, 8), hands=8, mixed=0)], "1", resume=path)


def test_the_command() -> None:
    words = ["lab", "nets", "--seats", "8", "--sides", "8", "--hands", "8", "--mixed", "1", "--seed", "2"]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.output
    assert "classic 8x8: nets against maxims (8 hands each); the same game: " in done.stdout
    assert done.stdout.endswith(" s\n")
    for wrong, said in (
        (["nets", "maxims"], "nets runs alone"),
        (["nets", "--maxim", "safe_trip"], "--maxim is not for nets"),
        (["nets", "--player", "basic"], "the nets are measured against maxims"),
        (["nets", "--matches", "5", "--match-target", "none"], "never ends"),
        (["maxims", "--mixed", "5"], "--mixed is for nets"),
    ):
        refused = CliRunner().invoke(cli, ["lab", *wrong])
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert said in " ".join(refused.stderr.split())
