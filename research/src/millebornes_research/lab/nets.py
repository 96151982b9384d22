"""Find out where the built-in nets play better than the maxims: at tables with other settings or numbers of seats."""

import dataclasses
import hashlib
import importlib.resources
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar, Final, NamedTuple

from millebornes.arena.statistics import plain
from millebornes.editions import Rules
from millebornes.policies import net_choice
from millebornes.policies.batch import KernelPlayer
from millebornes.policies.dispatch import NET
from millebornes.policies.maxim_weights import tuned
from millebornes.policies.net_choice import ANY, CLASSIC, TABLES, NetChoice, alike, choose_net, nearest_net
from millebornes.policies.shipped_nets import ready_as
from millebornes_research.lab.changes import changed_by_chance, single_changes
from millebornes_research.lab.contrast import Contrast, edge_row, edges_of
from millebornes_research.lab.counts import Counts
from millebornes_research.lab.experiment import Experiment
from millebornes_research.lab.sheets import Column, Sheet, verdict
from millebornes_research.lab.study import Study
from millebornes_research.seeds import seed_word

BASE: Final = "maxims"


@dataclasses.dataclass(frozen=True, kw_only=True)
class NetContrast(Contrast):
    """A comparison of nets with the maxims.

    ``variants`` contains the files of the nets, and ``tables`` the tables that they take this one for.
    """

    tables: tuple[str, ...]
    digests: tuple[str, ...]
    """The digests of the files, which make the same study with other nets a different study."""

    @classmethod
    def of(cls, rules: Rules, nets: Sequence[NetChoice], *, deals: int, target: int | None, seed: int) -> "NetContrast":
        """Return the comparison of these nets at a table."""
        return cls(
            rules=rules,
            base=BASE,
            variants=tuple(net.file for net in nets),
            tables=tuple(str(net.table) for net in nets),
            digests=tuple(_digest(net.file) for net in nets),
            deals=deals,
            match_target=target,
            seed=seed,
        )

    def players(self) -> list[KernelPlayer]:
        """Return the player `maxims`, followed by the nets."""
        advice = tuned(self.rules)
        return [
            KernelPlayer.named(self.base, self.rules),
            *(
                KernelPlayer(NET, advice=advice, net=ready_as(NetChoice(file, Rules.parse(table), 0)))
                for file, table in zip(self.variants, self.tables, strict=True)
            ),
        ]


def _digest(file: str) -> str:
    path = importlib.resources.files(net_choice.__package__) / "nets" / file
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


class Case(NamedTuple):
    """A table to measure: its changes, its rules, the nearest net, and the nearest net in the other file.

    ``other`` is None if the other file has no net for such a table. The net that was trained on all tables is measured
    too.
    """

    changes: str
    rules: Rules
    nearest: NetChoice
    other: NetChoice | None

    @classmethod
    def of(cls, changes: str, rules: Rules) -> "Case":
        """Return the case for a table."""
        nearest = nearest_net(rules)
        assert nearest is not None
        return cls(changes, rules, nearest, nearest_net(rules, CLASSIC if nearest.file == TABLES else TABLES))

    @property
    def nets(self) -> list[NetChoice]:
        """The nets to measure."""
        found = [self.nearest, NetChoice(ANY, self.rules, self.nearest.distance)]
        return found if self.other is None else [*found, self.other]

    @property
    def plays(self) -> str:
        """The net that plays at this table: the ``nearest`` net, or the net for ``any`` table."""
        return "any" if choose_net(self.rules).file == ANY else "nearest"

    def to_row(self) -> dict[str, Any]:
        """Return the facts that are known before any play, as cells of a row."""
        file, table, apart = self.nearest
        return {
            "changes": self.changes,
            "net": f"{file.removesuffix('.npz')} as {table.edition} {table.table}",
            "apart": round(apart, 2),
            "plays": self.plays,
        }


class Nets(Experiment):
    """Nets against the maxims at one table: unchanged, with each setting changed, and with several random changes."""

    name: ClassVar[str] = "nets"
    plots: ClassVar[tuple[str, str]] = ("settings", "points")

    def __init__(
        self,
        rules: Rules,
        player: str = BASE,
        *,
        hands: int = 8_000,
        matches: int = 0,
        mixed: int = 20,
        target: int = 5000,
        seed: str = "0",
    ) -> None:
        """Each net plays ``hands`` hands and ``matches`` matches at each table.

        ``mixed`` is the number of tables with several changes.
        """
        self.rules, self.player, self.hands, self.matches, self.target = rules, player, hands, matches, target
        singles = [("as it is", rules), *single_changes(rules)]
        self.same: Final = [text for text, changed in singles[1:] if alike(changed) == alike(rules)]
        """The changes that make no difference at this table."""
        chance = random.Random(seed_word(seed, self.name, rules.table))
        found = [case for case in singles if case[0] not in self.same]
        found += [changed_by_chance(rules.seats, rules.sides, chance) for _ in range(mixed)]
        self.cases: Final = [Case.of(*case) for case in found]
        word, studies = seed_word(seed, self.name, "decks"), list[Study]()
        for case in self.cases:
            decks = max(1, hands // rules.sides)
            studies.append(NetContrast.of(case.rules, case.nets, deals=decks, target=None, seed=word))
            if matches:
                decks = max(1, matches // rules.sides)
                playing = case.nets[1:2] if case.plays == "any" else case.nets[:1]
                studies.append(NetContrast.of(case.rules, playing, deals=decks, target=target, seed=word ^ 1))
        self.studies = tuple(studies)

    def sheets(self, counts: Sequence[Counts]) -> list[Sheet]:
        """Return two sheets: the cases, and how often the net is better at tables where it plays and at all others."""
        each = len(self.studies) // len(self.cases)
        rows: list[dict[str, Any]] = []
        for n, case in enumerate(self.cases):
            hands, *matches = counts[n * each : (n + 1) * each]
            row = edge_row([hands, *matches], case.rules)
            row["any"] = plain(edges_of(hands, case.rules, 1)[0])
            row["other"] = None if case.other is None else plain(edges_of(hands, case.rules, 2)[0])
            row["verdict"] = verdict(row["any" if case.plays == "any" else "points"])
            rows.append(case.to_row() | row)
        columns = (
            Column("changes", "changes", "text"),
            Column("net", "nearest net", "text"),
            Column("apart", "apart", "number"),
            Column("points", "points a hand", "gain"),
            Column("any", "the net for any table", "gain"),
            *((Column("other", "the other net", "gain"),) if any(case.other for case in self.cases) else ()),
            *((Column("match_share", "share of matches", "edge"),) if self.matches else ()),
            Column("verdict", "verdict", "text"),
            Column("plays", "plays", "text"),
        )
        games = f"{self.hands:,} hands" + (f" and {self.matches:,} matches to {self.target}" if self.matches else "")
        title = f"nets against {BASE} ({games} each)"
        if self.same:
            title += f"; the same game: {', '.join(self.same)}"
        return [Sheet("settings", title, columns, rows), self._rule(rows)]

    def _rule(self, rows: Sequence[dict[str, Any]]) -> Sheet:
        """Return a sheet that shows how often the net that plays is better than the maxims."""
        found = []
        for plays in ("nearest", "any"):
            here = [row for row in rows if row["plays"] == plays]
            verdicts = Counter(row["verdict"] for row in here)
            below = sum(_is_below(row["any" if plays == "any" else "points"]) for row in here)
            found.append(
                {
                    "plays": plays,
                    "tables": len(here),
                    "pays": verdicts["pays"],
                    "unclear": verdicts["unclear"] + verdicts["nothing"],
                    "costs": verdicts["costs"],
                    "below": below,
                }
            )
        columns = (
            Column("plays", "plays", "text"),
            Column("tables", "tables", "count"),
            Column("pays", "net pays", "count"),
            Column("unclear", "unclear", "count"),
            Column("costs", "net costs", "count"),
            Column("below", "95 % below 0", "count"),
        )
        return Sheet("rule", "how often the net that plays is better", columns, found)

    def estimate(self, counts: Sequence[Counts]) -> str:
        """Return the estimate for the unchanged table."""
        edge = edges_of(counts[0], self.rules, 0)[0]
        return f"{edge.value:+.1f} ± {(edge.high - edge.low) / 2:.1f} points a hand"


def _is_below(found: dict[str, Any]) -> bool:
    """Return whether a whole interval is below 0."""
    high = found["ci95"][1]
    return high is not None and high < 0
