"""``millebornes players``: list the computer players."""

import json
from typing import TYPE_CHECKING, Any, Final

import click

from millebornes.cli.common import ChosenTable, blamed_on, check_player, cost_text, json_option, table_options
from millebornes.cli.working import at_work

if TYPE_CHECKING:
    from millebornes.editions import Rules
    from millebornes.players import PlayerInfo

PROGRAM: Final = "cmd:COMMAND"
"""The entry in the list that represents any external program."""

FILE: Final = "py:FILE.py"
"""The entry in the list that represents a class in any Python file."""

NET: Final = "onnx:FILE.onnx"
"""The entry in the list that represents a net in any ONNX file."""


_HELP: Final = """\
List the computer players: how they work, how long they take per move on this machine, and how strong they are.

With NAMEs, only these players are listed. A NAME can have options (maxims:points), and can be a program of your own
('cmd:python3 mybot.py'), a class (py:mybot.py) or a net (onnx:mine.onnx). The time is measured whenever you run the
command, in a few classic hands for two. The Elo ratings come from the arena, where 'basic' has 0. A player with 100
points more wins 64% of the matches. Players from other packages are listed too. If one of them can't be loaded, the
list shows the error. Players that see all cards can play only in the arena.

For a player that uses a net, the list names the net that it uses at the table you choose with --edition, --seats,
--sides and --set."""


@click.command(help=_HELP)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@table_options
@json_option
def players(
    names: tuple[str, ...],
    table: ChosenTable,
    as_json: bool,
) -> None:
    """Run the command ``players``."""
    rules = table.rules()
    with at_work("measuring …"):
        entries = [_measured(info, rules) for info in _asked_for(names)]
    if as_json:
        click.echo(json.dumps(entries, ensure_ascii=False, indent=2))
        return
    width = max(len(entry["name"]) for entry in entries)
    for entry in entries:
        if entry["problem"] is not None:
            click.echo(f"{entry['name']:{width}}  cannot play: {entry['problem']}")
            continue
        cost = entry["ms_per_move"]
        marks = ["its own time" if cost is None else f"{cost_text(cost)} ms a move"]
        marks += [f"Elo {entry['elo']:+d}"] if entry["elo"] is not None else []
        marks += ["the default"] if entry["default"] else []
        marks += ["for the arena only"] if entry["sees_everything"] else []
        marks += [f"from {entry['source']}"] if entry["source"] not in {"built-in", "file", "program"} else []
        line = f"{entry['name']:{width}}  {entry['summary']} ({', '.join(marks)})"
        click.echo(f"{line}. {entry['net']}" if entry["net"] else line)


def _asked_for(names: tuple[str, ...]) -> "list[PlayerInfo]":
    from millebornes.errors import PlayerError
    from millebornes.player_names import OWN_PREFIXES
    from millebornes.players import ExternalPlayer, PlayerInfo, available, is_full_information

    players_by_name = available()
    if not names:
        own = "a class of your own, out of one file"
        net = "a net of your own, out of an ONNX file"
        listed = [(PROGRAM, ExternalPlayer.summary, "program"), (FILE, own, "file"), (NET, net, "file")]
        return [*players_by_name.values(), *(PlayerInfo(*entry) for entry in listed)]
    infos = []
    for name in dict.fromkeys(names):
        if name in players_by_name:
            infos.append(players_by_name[name])
            continue
        with blamed_on("'NAME'", PlayerError):
            made = check_player(name, sees_everything=True)
        own = "program" if issubclass(made, ExternalPlayer) else "file"
        source = own if name.startswith(OWN_PREFIXES) else "built-in"
        infos.append(PlayerInfo(name, made.summary, source, sees_everything=is_full_information(name)))
    return infos


def _measured(info: "PlayerInfo", rules: "Rules") -> dict[str, Any]:
    from millebornes.arena.cost import cost_of_moves
    from millebornes.errors import PlayerError
    from millebornes.players import DEFAULT_PLAYER
    from millebornes.policies.net_choice import net_sentence

    cost, problem = None, info.problem
    if problem is None and info.name not in {PROGRAM, FILE, NET}:
        try:
            cost = float(f"{cost_of_moves(info.name):.3g}")
        except PlayerError as error:
            problem = str(error)
    return {
        "name": info.name,
        "summary": info.summary,
        "source": info.source,
        "default": info.name == DEFAULT_PLAYER,
        "sees_everything": info.sees_everything,
        "ms_per_move": cost,
        "elo": info.elo,
        "net": net_sentence(info.name, rules) or None,
        "problem": problem,
    }
