"""Masked PPO (`sb3-contrib`) learns the game against a player of ours, thousands of hands at once.

    pip install '.[learners]' -c constraints.txt
    python examples/learners/masked_ppo.py --out mine --seed 1

The net first looks on: it imitates what its opponent does in hands against itself. Then it plays, and learns by masked
PPO from nothing but what its hands bring. It writes `mine.csv`, how strong it was and when, and `mine.onnx`, which
`millebornes arena --player onnx:mine.onnx --player basic` seats.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from millebornes.cards import SAFETIES
from millebornes.envs import HandBatch, TableOptions, observation_fields, onnx_metadata, play_trajectories
from millebornes.envs.vector import HandVectorEnv

POINTS = 1000.0
"""Rewards are told in so many points, about what a hand is worth."""
TEST_SEED = 1 << 40
"""The decks that the net is tested with begin here; it learns from others."""
SAFETY_NAMES = frozenset(safety.value for safety in SAFETIES)


class Hands(VecEnv):
    """Our vector environment in the shape that Stable-Baselines3 wants, without a loop over hands.

    What a step adds to the points on the table is rewarded at once, and taken off at the end, so that a hand brings its
    lead as before (potential-based shaping: Ng, Harada and Russell, 1999).
    """

    def __init__(self, hands: HandVectorEnv, seed: int) -> None:
        self.hands, self.first = hands, seed
        self.worth = worth_of_observations(hands.options)
        self.nothing: list[dict[str, Any]] = [{}] * hands.num_envs
        super().__init__(hands.num_envs, hands.single_observation_space, hands.single_action_space)

    def reset(self) -> Any:
        observations, infos = self.hands.reset(seed=self.first)
        self.masks, self.on_table = infos["action_mask"], observations @ self.worth
        return observations

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        self.actions = actions

    def step_wait(self) -> Any:
        observations, rewards, ended, _, infos = self.hands.step(self.actions)
        before, self.on_table = self.on_table, observations @ self.worth
        self.masks = infos["action_mask"]
        gained = rewards + np.where(ended, 0.0, self.on_table) - before
        # Hands are never cut short, so nobody asks for what was seen at their ends.
        return observations, gained / POINTS, ended, self.nothing

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **named: Any) -> Any:
        if method_name != "action_masks":
            raise AttributeError(method_name)
        return self.masks

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.hands, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(attr_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        self.hands.close()


def worth_of_observations(options: TableOptions) -> npt.NDArray[np.float32]:
    """What each number of an observation is worth in points for miles, safeties and coups fourrés; minus for others."""
    rules = options.rules()
    found = []
    for field in observation_fields(rules, options.history):
        side, _, what = field.name.partition(".")
        sign = 1.0 if side == "own" else -1.0 / (rules.sides - 1) if side.startswith("side+") else 0.0
        points = 100.0 if what in SAFETY_NAMES else 300.0 if what.startswith("coup.") else 0.0
        found.append(sign * (float(rules.extension_goal or rules.goal) if what == "distance" else points))
    return np.array(found, np.float32)


def imitate(policy: Any, options: TableOptions, who: str, decisions: int, seed: int) -> None:
    """Learn which actions a player makes in hands against itself, and what these bring: no decision is used twice."""
    rules, worth, done = options.rules(), worth_of_observations(options), 0
    chance, optimizer = np.random.default_rng(seed), torch.optim.Adam(policy.parameters())
    while done < decisions:
        played = play_trajectories(rules, [who] * rules.seats, 4000, seed=seed, begin=done)
        leads = played.returns("lead")
        for rows in np.array_split(chance.permutation(len(played)), len(played) // 1024):
            observations, masks = played.batch(rows)
            actions = torch.from_numpy(played.actions[rows].astype(np.int64))
            left = torch.from_numpy((leads[rows] - observations @ worth).astype(np.float32) / POINTS)
            values, logs, _ = policy.evaluate_actions(torch.from_numpy(observations), actions, masks)
            loss = (values.flatten() - left).square().mean() / 2 - logs.mean()
            optimizer.param_groups[0]["lr"] = 2e-3 * max(1 - done / decisions, 0.05)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            done += len(rows)


def layers(policy: Any) -> torch.nn.Sequential:
    """What says which action to make; the rest of the policy is needed to learn only."""
    return torch.nn.Sequential(*policy.mlp_extractor.policy_net, policy.action_net)


def lead(net: torch.nn.Module, options: TableOptions, opponent: str, deals: int) -> tuple[float, float]:
    """The net's mean lead a hand in points, and its standard error; each deck is played from every seat."""
    rules = options.rules()
    leads = np.zeros(deals)
    for seat in range(rules.seats):
        batch = HandBatch(options, deals, [opponent], seat=seat)
        batch.seed(TEST_SEED)
        batch.reset()
        playing = np.ones(deals, np.bool_)
        while playing.any():
            with torch.no_grad():
                logits = net(torch.from_numpy(batch.observations)).numpy()
            batch.step(np.where(batch.masks, logits, -np.inf).argmax(1))
            over = batch.terminated & playing
            leads[over] += batch.rewards_by_side[over, rules.side_of(seat)] / rules.seats
            playing &= ~over
    return float(leads.mean()), float(leads.std(ddof=1) / deals**0.5)


class Tests(BaseCallback):
    """Tests the net every so many decisions, and writes what came out; the tests' own time is not counted."""

    def __init__(self, file: Path, every: int, test: Callable[[torch.nn.Module], tuple[float, float]]) -> None:
        super().__init__()
        self.file, self.every, self.test, self.next = file, every, test, 0
        self.cpu, self.wall = time.process_time(), time.perf_counter()
        self.file.write_text("decisions,cpu_s,wall_s,lead,stderr\n", encoding="utf-8")

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self.next:
            self.next += self.every
            self.measure(self.num_timesteps)

    def _on_training_end(self) -> None:
        self.measure(self.num_timesteps)

    def measure(self, decisions: int) -> None:
        cpu, wall = time.process_time(), time.perf_counter()
        mean, stderr = self.test(layers(self.model.policy))
        row = [decisions, f"{cpu - self.cpu:.0f}", f"{wall - self.wall:.0f}", f"{mean:.1f}", f"{stderr:.1f}"]
        with self.file.open("a", newline="", encoding="utf-8") as out:
            csv.writer(out, lineterminator="\n").writerow(row)
        print(*row, flush=True)
        self.cpu += time.process_time() - cpu
        self.wall += time.perf_counter() - wall


def write_onnx(net: torch.nn.Sequential, options: TableOptions, file: Path) -> None:
    """Write the net as a file that `--player onnx:FILE` seats: linear layers with rectifiers between them."""
    rules = options.rules()
    helper, names, nodes, arrays = onnx.helper, ["observation"], [], []
    linear = [layer for layer in net if isinstance(layer, torch.nn.Linear)]
    for n, layer in enumerate(linear):
        arrays += [
            onnx.numpy_helper.from_array(layer.weight.detach().numpy(), f"weight{n}"),
            onnx.numpy_helper.from_array(layer.bias.detach().numpy(), f"bias{n}"),
        ]
        out = "logits" if layer is linear[-1] else f"sum{n}"
        nodes.append(helper.make_node("Gemm", [names[-1], f"weight{n}", f"bias{n}"], [out], transB=1))
        if layer is not linear[-1]:
            nodes.append(helper.make_node("Relu", [out], [f"row{n}"]))
            names.append(f"row{n}")
    shapes = {"observation": linear[0].in_features, "logits": linear[-1].out_features}
    given, found = (helper.make_tensor_value_info(name, 1, ["n", size]) for name, size in shapes.items())
    graph = helper.make_graph(nodes, "policy", [given], [found], arrays)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, onnx_metadata(rules, options.history))
    onnx.checker.check_model(model)
    file.write_bytes(model.SerializeToString())


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("mine"), help="name of the files, without an extension")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opponent", default="basic", help="player to learn against; it needs a kernel")
    parser.add_argument("--imitate", type=int, default=3_000_000, help="decisions of the opponent to imitate first")
    parser.add_argument(
        "--decisions", type=int, default=30_000_000, help="decisions of its own to learn from after that"
    )
    parser.add_argument("--test-every", type=int, default=2_000_000, help="decisions between two tests")
    parser.add_argument("--test-deals", type=int, default=4096, help="decks in each test, each played from both seats")
    parser.add_argument(
        "--entropy", type=float, default=0.003, help="weight of the entropy bonus, which rewards variety"
    )
    parser.add_argument("--trace", type=float, default=0.9, help="the lambda of generalised advantages")
    parser.add_argument("--rate", type=float, default=3e-4, help="initial learning rate; it falls almost to 0")
    given = parser.parse_args(arguments)
    torch.set_num_threads(1)
    options = TableOptions(reward="lead")
    hands = HandVectorEnv(1024, given.opponent, reward="lead", autoreset_mode="SameStep")
    model = MaskablePPO(
        "MlpPolicy",
        Hands(hands, given.seed),
        seed=given.seed,
        learning_rate=lambda left: given.rate * max(left, 0.02),
        n_steps=64,
        batch_size=4096,
        n_epochs=1,  # new hands cost less than learning twice from old ones
        gamma=1.0,
        gae_lambda=given.trace,
        ent_coef=given.entropy,
        policy_kwargs={"net_arch": [128, 128], "activation_fn": torch.nn.ReLU},
        device="cpu",
    )
    fields = observation_fields(options.rules())
    silent = [n for n, field in enumerate(fields) if field.name.endswith(".total") or field.name == "target"]
    with torch.no_grad():  # so that it plays a hand of a match as it plays a single one
        for layer in (model.policy.mlp_extractor.policy_net[0], model.policy.mlp_extractor.value_net[0]):
            layer.weight[:, silent] = 0.0
    file = given.out.with_suffix(".csv")
    tests = Tests(file, given.test_every, lambda net: lead(net, options, given.opponent, given.test_deals))
    if given.imitate:
        imitate(model.policy, options, given.opponent, given.imitate, given.seed)
    model.learn(given.decisions, tests, log_interval=None)
    write_onnx(layers(model.policy), options, given.out.with_suffix(".onnx"))


if __name__ == "__main__":
    main()
