"""Random hands at the speed of the rules are those that random players play."""

import numpy as np
import pytest

from millebornes import make_rules
from millebornes.policies.batch import KernelPlayer, play_batch, seats_of
from millebornes.policies.dispatch import workspace_for
from millebornes.policies.games import MANY_HANDS, Games, play_games


@pytest.mark.parametrize("streams", [False, True])
def test_random_hands_are_the_same_in_turn_and_one_by_one(streams: bool) -> None:
    # Four at once, and at the end three, two, one; several line-ups of the same player are the same hands.
    for rules in (make_rules(), make_rules("house", 4, 2)):
        players = [KernelPlayer.named("random", rules)]
        workspace = workspace_for(rules)
        workspace.deals["streams"] = streams
        points, counts = np.zeros((41, 2, rules.sides), np.int64), np.zeros(2, np.int64)
        lines = np.zeros((2, rules.seats), np.int64)
        games = Games(np.uint64(3), 5, -1, np.zeros(rules.sides, np.int64), MANY_HANDS)
        play_games(workspace, seats_of(players), lines, games, points, counts)
        batch = play_batch(rules, players, lines.tolist(), 41, seed=3, begin=5, streams=streams)
        assert (batch.points == points).all()
        assert (batch.hands, batch.moves) == (int(counts[0]), int(counts[1]))
