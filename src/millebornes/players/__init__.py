"""Computer players, and the table they sit at."""

from millebornes.players.base import Player
from millebornes.players.basic import Basic
from millebornes.players.external import ExternalPlayer, Forfeit
from millebornes.players.oracle import Oracle
from millebornes.players.registry import DEFAULT_PLAYER, GROUP, PLAYERS, SEERS, PlayerInfo, available, is_seer, player
from millebornes.players.seer import Seer
from millebornes.players.simple import RandomPlayer
from millebornes.players.table import Table, play_hand, play_match

__all__ = [
    "DEFAULT_PLAYER",
    "GROUP",
    "PLAYERS",
    "SEERS",
    "Basic",
    "ExternalPlayer",
    "Forfeit",
    "Oracle",
    "Player",
    "PlayerInfo",
    "RandomPlayer",
    "Seer",
    "Table",
    "available",
    "is_seer",
    "play_hand",
    "play_match",
    "player",
]
