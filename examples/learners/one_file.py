"""PPO with action masks in one file, on PyTorch alone: every line that learns can be read and changed here.

    pip install . torch -c constraints.txt
    python examples/learners/one_file.py --minutes 5

It begins with nothing and prints how far it leads in the hands that it has just learned from. In the manner of CleanRL
(Huang and others, 2022).
"""

from __future__ import annotations

import argparse
import time

import torch
from torch import nn

from millebornes.envs import HandBatch, TableOptions
from millebornes.envs.stepping import SAME_STEP

HANDS, AHEAD, MINIBATCH = 1024, 32, 2048
TRACE, CLIP, ENTROPY, RATE = 0.9, 0.2, 0.02, 1e-3
POINTS = 1000.0


class Net(nn.Module):
    """Two nets: logits of actions, and how far the side will lead."""

    def __init__(self, numbers: int, actions: int) -> None:
        super().__init__()
        self.actor, self.critic = (
            nn.Sequential(nn.Linear(numbers, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, outputs))
            for outputs in (actions, 1)
        )

    def forward(self, seen: torch.Tensor, masks: torch.Tensor) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        logits = self.actor(seen).masked_fill(masks == 0, -1e8)
        return torch.distributions.Categorical(logits=logits, validate_args=False), self.critic(seen).squeeze(-1)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opponent", default="basic")
    parser.add_argument("--minutes", type=float, default=5.0, help="time to learn, of one core")
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    hands = HandBatch(TableOptions(reward="lead"), HANDS, [given.opponent], mode=SAME_STEP)
    hands.seed(given.seed)
    hands.reset()
    net = Net(hands.observations.shape[1], hands.masks.shape[1])
    optimizer = torch.optim.Adam(net.parameters(), lr=RATE)
    shape = (AHEAD, HANDS)
    seen, masks = torch.zeros(*shape, hands.observations.shape[1]), torch.zeros(*shape, hands.masks.shape[1])
    actions, logs, values = torch.zeros(shape, dtype=torch.long), torch.zeros(shape), torch.zeros(AHEAD + 1, HANDS)
    rewards, ended = torch.zeros(shape), torch.zeros(shape, dtype=torch.bool)
    begin, lessons = time.process_time(), 0
    while time.process_time() - begin < 60 * given.minutes:
        with torch.no_grad():
            for t in range(AHEAD):
                seen[t], masks[t] = torch.from_numpy(hands.observations), torch.from_numpy(hands.masks)
                choices, values[t] = net(seen[t], masks[t])
                actions[t] = choices.sample()
                logs[t] = choices.log_prob(actions[t])
                hands.step(actions[t].numpy())
                rewards[t] = torch.from_numpy(hands.rewards_by_side[:, 0] / POINTS)
                ended[t] = torch.from_numpy(hands.terminated)
            _, values[AHEAD] = net(torch.from_numpy(hands.observations), torch.from_numpy(hands.masks))
            gains, gain = torch.zeros(shape), torch.zeros(HANDS)
            for t in reversed(range(AHEAD)):  # generalised advantage estimation, without discount
                goes_on = ~ended[t]
                gain = rewards[t] + goes_on * (values[t + 1] + TRACE * gain) - values[t]
                gains[t] = gain
            wanted = gains + values[:-1]
        for rows in torch.randperm(AHEAD * HANDS).split(MINIBATCH):
            choices, value = net(seen.flatten(0, 1)[rows], masks.flatten(0, 1)[rows])
            gain = gains.flatten()[rows]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            ratio = (choices.log_prob(actions.flatten()[rows]) - logs.flatten()[rows]).exp()
            loss = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            loss += (value - wanted.flatten()[rows]).square().mean() / 2 - ENTROPY * choices.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
        lessons += 1
        if lessons % 20 == 0:
            lead = float(rewards[ended].mean()) * POINTS
            spent = time.process_time() - begin
            print(f"{lessons * AHEAD * HANDS:>12,} decisions  {spent:6.0f} s  lead {lead:8.1f} points", flush=True)


if __name__ == "__main__":
    main()
