"""Machine code that is kept in files does the same as Numba's, and is used without Numba."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from millebornes.cards import SAFETIES, Card
from millebornes.editions import make_rules
from millebornes.kernels import machine_code
from millebornes.kernels.decorator import kernel
from millebornes.kernels.machine_code import IS_USED, WORD, bare_kernel
from millebornes.kernels.store import KernelStore
from millebornes.rules import engine
from millebornes.rules.engine import Engine
from tests.kernels.caches import play_in

used = pytest.mark.skipif(not IS_USED, reason="this code is used on Linux, by kernels that check nothing")

PAIR = np.dtype([("a", "u8"), ("b", "u8")])
DOUBLED = {card.value: 1 if card in SAFETIES else 8 for card in Card}
SIZES: dict[str, dict[str, Any]] = {"106 cards": {}, "124 cards": {"deck": DOUBLED}}


@kernel
def _add(pair: Any, more: Any) -> Any:
    pair["b"] = pair["a"] + more
    return np.uint64(0)


@kernel
def _allocate(pair: Any, more: Any) -> Any:
    pair["b"] = np.ones(more, np.uint64).sum()
    return np.uint64(0)


@used
def test_a_kernel_is_called_by_addresses_and_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = KernelStore(tmp_path)
    monkeypatch.setattr(machine_code, "store", store)
    pair, result = np.array([(3, 0)], PAIR), np.zeros(2, np.uint64)
    for _ in range(2):  # compiled, then loaded
        bare_kernel.cache_clear()
        call = bare_kernel(_add, "add", PAIR, WORD)
        assert call is not None
        pair["b"] = 0
        assert call(result.ctypes.data, result[1:].ctypes.data, pair.ctypes.data, 2**64 - 2) == 0
        assert pair[0].tolist() == (3, 1)
        (file,) = tmp_path.iterdir()
        monkeypatch.setattr(machine_code, "_compiled", None)
    assert store.read(file.name)
    bare_kernel.cache_clear()


@used
def test_what_needs_numba_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "store", KernelStore(tmp_path))
    assert bare_kernel(_allocate, "allocate", PAIR, WORD) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("how", ["numba", "plain"])
@pytest.mark.parametrize("settings", SIZES.values(), ids=list(SIZES))
def test_all_ways_do_the_same(settings: dict[str, Any], how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = make_rules("classic", 6, 3, settings)
    one = Engine(rules)
    if how == "numba":
        monkeypatch.setattr(engine, "bare_kernel", lambda *_: None)
    else:
        monkeypatch.setattr(Engine, "_is_available", lambda _engine: False)
    other = Engine(rules)
    rng = random.Random(1)
    for hand in range(3):
        deck = one.shuffled(hand)
        assert other.shuffled(hand) == deck
        found = one.start(deck, hand)
        assert other.start(deck, hand) == found
        while any(found.words):
            assert one.scores(found.state) == other.scores(found.state)
            assert one.words(found.state) == other.words(found.state) == found.words
            codes = [64 * n + bit for n, word in enumerate(found.words) for bit in range(64) if word >> bit & 1]
            code = rng.choice(codes)
            state, found = found.state, one.apply(found.state, code)
            assert other.apply(state, code) == found


@used
@pytest.mark.slow  # compiles the rules anew
def test_a_game_whose_code_is_kept_needs_no_numba(warm: Path) -> None:
    played = play_in(warm, "-X", "importtime")
    assert "Your move:" in played.stdout
    found = {line.rpartition("|")[2].strip() for line in played.stderr.splitlines()}
    assert "millebornes.rules.turns" in found
    assert not {"numba", "textual", "millebornes.kernels.compiler"} & found
