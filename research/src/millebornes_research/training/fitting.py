"""Fit a net to the results of moves that were played out. No other module needs torch."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.errors import MilleBornesError
from millebornes.policies.net import FIRST, INPUTS, OUTPUTS, VALUE, rules_inputs
from millebornes.policies.net_files import SHAPES, Net
from millebornes_research.training.sampling import Samples

CLIP: Final = 15.0
"""Differences from the average are limited to this number, in units of 100 points."""
VALUE_SHARE: Final = 0.05
"""The weight of the error in the value of the hand. The error in the value of a move has the weight 1."""
CHOICE_SHARE: Final = 5.0
"""The weight of the points gained by the moves that were made. The error in the value of a move has the weight 1."""
TEMPERATURE: Final = 0.1
"""A move that seems better by this amount, in units of 100 points, is made e times as often while the net learns."""
DECAY: Final = 0.9995
"""The net that plays is an average over the latest steps.

This is the part of the old average that remains after each step.
"""


class Fitted(NamedTuple):
    """How well the net fits, as root mean squares in points.

    ``plain`` is for the differences between moves, ``moves`` for the part of these differences that the net doesn't
    predict, and ``value`` for the errors in the value of the hand.
    """

    plain: float
    moves: float
    value: float


def import_torch() -> Any:
    """Import and return torch, the library that fits nets. Raises `MilleBornesError` if it isn't installed."""
    try:
        import torch
    except ImportError:
        raise MilleBornesError("training needs torch: pip install 'millebornes-research[train]'") from None
    torch.set_num_threads(1)  # sums are the same on every machine only if they are added in one order
    return torch


class Fit:
    """A net that is being fitted: its numbers, their average over the latest steps, and the state of Adam."""

    def __init__(self, net: Net, *, decay: float = DECAY) -> None:
        self._torch = torch = import_torch()
        self.decay: Final = decay
        self.steps = 0
        arrays = dict(net.arrays)
        arrays["rows"] = np.concatenate([arrays["rows"], np.zeros((1, arrays["rows"].shape[1]), np.float32)])
        self._numbers = {name: torch.tensor(arrays[name], requires_grad=True) for name in SHAPES}
        self._mean = {name: number.detach().clone() for name, number in self._numbers.items()}
        self._trained = [name for name in SHAPES if name != "base" or float(arrays["base"]) != 0]
        self._adam = torch.optim.Adam([self._numbers[name] for name in self._trained], lr=1e-3)

    def net(self) -> Net:
        """Return the average of the net over the latest steps."""
        arrays = {name: number.numpy().copy() for name, number in self._mean.items()}
        arrays["rows"] = arrays["rows"][:INPUTS]
        return Net(arrays)

    def learn(self, rules: Rules, samples: Samples, *, rate: float, batch: int, seed: int) -> Fitted:
        """Learn once from all samples of a table, in batches of ``batch`` decisions, and return how well the net fits.

        The seed determines the order.
        """
        torch = self._torch
        rule_inputs = torch.from_numpy(rules_inputs(rules))
        sums = np.zeros(5)
        for group in self._adam.param_groups:
            group["lr"] = rate
        for rows, entries in batches(samples, batch, seed):
            sums += self._step(rule_inputs, rows, entries)
        moves, values = max(1.0, sums[3]), max(1.0, sums[4])
        return Fitted(*(100 * float(x) ** 0.5 for x in (sums[0] / moves, sums[1] / moves, sums[2] / values)))

    def _step(
        self, rule_inputs: Any, rows: npt.NDArray[np.int32], entries: npt.NDArray[np.void]
    ) -> npt.NDArray[np.float64]:
        torch = self._torch
        n = self._numbers
        wide = torch.nn.functional.embedding_bag(torch.from_numpy(rows), n["rows"], mode="sum", padding_idx=INPUTS)
        wide = wide + rule_inputs @ n["rules"]
        hidden = torch.relu(wide[:, :FIRST] + n["first"])
        hidden = torch.relu(torch.addmm(n["second"], hidden, n["second_rows"]))
        out = torch.addmm(n["out"], hidden, n["out_rows"]) + wide[:, FIRST:]
        decisions = torch.from_numpy(entries["decision"].astype(np.int64))
        places = torch.from_numpy(entries["row"].astype(np.int64) * OUTPUTS + entries["code"])
        points = torch.from_numpy(entries["points"].copy())
        number = int(entries["decision"][-1]) + 1
        counts = torch.bincount(decisions, minlength=number).to(points.dtype)

        def centred(values: Any) -> Any:
            means = torch.zeros(number).index_add(0, decisions, values) / counts
            return values - means[decisions]

        guess = out.view(-1)[places] + n["base"] * torch.from_numpy(entries["worth"].copy())
        brought = centred(points).clamp(-CLIP, CLIP)
        missed = ((centred(guess) - brought) ** 2).sum()
        top = torch.full((number,), -math.inf).scatter_reduce(0, decisions, guess.detach(), "amax")
        chances = torch.exp((guess - top[decisions]) / TEMPERATURE)
        chances = chances / torch.zeros(number).index_add(0, decisions, chances)[decisions]
        chosen = (chances * brought).sum() / number
        best = np.flatnonzero(entries["best"])
        firsts = torch.from_numpy(entries["row"][best].astype(np.int64))
        value = out[firsts, VALUE] - points[torch.from_numpy(best)]
        missed_value = (value**2).sum()
        loss = missed / len(points) + VALUE_SHARE * missed_value / max(1, len(best)) - CHOICE_SHARE * chosen
        self._adam.zero_grad(set_to_none=True)
        loss.backward()
        self._adam.step()
        self.steps += 1
        keep = min(self.decay, 1 - 1 / self.steps)
        with torch.no_grad():
            for name, number_ in self._numbers.items():
                self._mean[name].lerp_(number_, 1 - keep)
        plain = (brought**2).sum().item()
        return np.array([plain, missed.item(), missed_value.item(), len(points), len(best)])

    # ------------------------------------------------------------------ continuing later

    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return everything that is needed to continue as arrays, by name."""
        found: dict[str, npt.NDArray[Any]] = {"steps": np.array(self.steps)}
        for name in SHAPES:
            found[f"number/{name}"] = self._numbers[name].detach().numpy()
            found[f"mean/{name}"] = self._mean[name].numpy()
        for name in self._trained:
            state = self._adam.state.get(self._numbers[name])
            if state:
                for key, value in state.items():
                    found[f"adam/{key}/{name}"] = value.numpy()
        return found

    def from_arrays(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Restore the state from the result of `to_arrays`.

        Raises `KeyError` or `ValueError` if the arrays don't fit.
        """
        torch = self._torch
        self.steps = int(arrays["steps"])
        with torch.no_grad():
            for name in SHAPES:
                self._numbers[name].copy_(torch.from_numpy(_checked(arrays[f"number/{name}"], SHAPES[name])))
                self._mean[name].copy_(torch.from_numpy(_checked(arrays[f"mean/{name}"], SHAPES[name])))
        for name in self._trained:
            state = {
                key: torch.from_numpy(_checked(arrays[f"adam/{key}/{name}"], () if key == "step" else SHAPES[name]))
                for key in ("step", "exp_avg", "exp_avg_sq")
                if f"adam/{key}/{name}" in arrays
            }
            if state:
                self._adam.state[self._numbers[name]] = state


def _checked(array: npt.NDArray[Any], shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    """Return a copy of an array from a file. Raises `ValueError` if it has another shape, or isn't of finite floats."""
    if array.shape != shape or array.dtype != np.float32 or not np.isfinite(array).all():
        raise ValueError(f"an array must hold finite floats of the shape {shape}")
    return array.copy()


def batches(samples: Samples, batch: int, seed: int) -> Iterator[tuple[npt.NDArray[np.int32], npt.NDArray[np.void]]]:
    """Yield the samples in batches of ``batch`` decisions, in an order that depends on the seed."""
    entries = samples.entries
    starts = np.searchsorted(entries["decision"], np.arange(samples.decisions + 1))
    order = np.random.default_rng(seed).permutation(samples.decisions)
    for at in range(0, samples.decisions, batch):
        some = order[at : at + batch]
        counts = starts[some + 1] - starts[some]
        first = np.repeat(starts[some] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        picked = entries[first + np.arange(len(first))]
        picked["decision"] = np.repeat(np.arange(len(some), dtype=np.int32), counts)
        used, where = np.unique(picked["row"], return_inverse=True)
        picked["row"] = where
        yield samples.rows[used].astype(np.int32), picked
