"""Computer players, and the table at which they play."""

from millebornes.player_names import GROUP
from millebornes.players.base import FullInformationPlayer, Player
from millebornes.players.basic import Basic
from millebornes.players.external_player import ExternalPlayer, ForfeitError
from millebornes.players.oracle import Oracle
from millebornes.players.random_player import RandomPlayer
from millebornes.players.registry import (
    FULL_INFORMATION_PLAYERS,
    PLAYERS,
    PlayerInfo,
    available,
    is_full_information,
    player,
)
from millebornes.players.table import Table, play_hand, play_match
from millebornes.roster import DEFAULT_PLAYER

__all__ = [
    "DEFAULT_PLAYER",
    "FULL_INFORMATION_PLAYERS",
    "GROUP",
    "PLAYERS",
    "Basic",
    "ExternalPlayer",
    "ForfeitError",
    "FullInformationPlayer",
    "Oracle",
    "Player",
    "PlayerInfo",
    "RandomPlayer",
    "Table",
    "available",
    "is_full_information",
    "play_hand",
    "play_match",
    "player",
]
