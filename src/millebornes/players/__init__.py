"""Computer players, and the table they sit at."""

from millebornes.players.base import Player
from millebornes.players.basic import Basic
from millebornes.players.external import ExternalPlayer, Forfeit
from millebornes.players.registry import DEFAULT_PLAYER, GROUP, PLAYERS, PlayerInfo, available, player
from millebornes.players.simple import RandomPlayer
from millebornes.players.table import Table, play_hand, play_match

__all__ = [
    "DEFAULT_PLAYER",
    "GROUP",
    "PLAYERS",
    "Basic",
    "ExternalPlayer",
    "Forfeit",
    "Player",
    "PlayerInfo",
    "RandomPlayer",
    "Table",
    "available",
    "play_hand",
    "play_match",
    "player",
]
