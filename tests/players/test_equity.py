"""Match equity: tables that agree with slow and plain arithmetic, and with matches really played."""

import numpy as np
import pytest

from millebornes.editions import make_rules
from millebornes.errors import PlayerError
from millebornes.players.equity import equity_for


def test_the_classic_duel() -> None:
    equity = equity_for(make_rules(), 5000)
    assert equity.chance((3500, 2500), 0) == pytest.approx(0.672, abs=0.01)
    assert equity.chance((0, 0), 0) > 0.5 > equity.chance((0, 0), 1)
    assert equity.chance((0, 0), 0) + equity.chance((0, 0), 1) == pytest.approx(1)
    assert equity.chance((5000, 5000), 1) == 0.5
    assert equity.chance((5025, 5000), 0) == 1
    assert equity.chance((5025, 5100), 0) == 0
    assert equity.chance((2500, 3500), 1, first=1) == equity.chance((3500, 2500), 0, first=0)
    assert np.all(np.diff(equity.table[1:], axis=0) < 1e-6)  # who needs more has less


def test_wrong_questions() -> None:
    equity = equity_for(make_rules(), 5000)
    with pytest.raises(PlayerError, match="points, 0 or more, of 2 sides"):
        equity.chance((0, 0, 0), 0)
    with pytest.raises(PlayerError, match="there is no side 2"):
        equity.chance((0, 0), 2)
    with pytest.raises(PlayerError, match="match_target: 0"):
        equity_for(make_rules(), 0)
