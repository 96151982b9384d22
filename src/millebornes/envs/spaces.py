"""The spaces of actions and observations for Gymnasium and PettingZoo."""

from typing import Any

import numpy as np
from gymnasium import spaces

from millebornes.editions import Rules
from millebornes.envs.fields import layout_for


def observation_space(rules: Rules, history: int = 0, seats: int = 1) -> Any:
    """Return the space of ``seats`` observations, one after the other, with the range of each number."""
    most = np.tile(layout_for(rules, history).most, seats)
    return spaces.Box(np.zeros_like(most), most, dtype=np.float32)
