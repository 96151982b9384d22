"""The spaces of actions and observations for Gymnasium and PettingZoo."""

from typing import Any

import numpy as np
from gymnasium import spaces

from millebornes.editions import Rules
from millebornes.envs.actions import action_count
from millebornes.envs.fields import layout_for

__all__ = ["action_space", "observation_space", "state_space"]


def action_space(rules: Rules) -> spaces.Discrete:
    """Return the space of all actions at a table, including illegal ones."""
    return spaces.Discrete(action_count(rules))


def observation_space(rules: Rules, history: int = 0) -> Any:
    """Return the space of observations at a table, with the range of each number."""
    layout = layout_for(rules, history)
    return spaces.Box(np.zeros(layout.size, np.float32), layout.most, dtype=np.float32)


def state_space(rules: Rules, history: int = 0) -> Any:
    """Return the space of the observations of all seats together, in seat order."""
    most = np.tile(layout_for(rules, history).most, rules.seats)
    return spaces.Box(np.zeros_like(most), most, dtype=np.float32)
