"""Many hands side by side, stepped by kernels: one's own moves from outside, other seats played by kernel players.

Inner kernels take records and addresses only: arrays are counted references, and counting takes longer than a move. The
kernels that Python calls take arrays, and find out anew at each call where these lie.
"""

from typing import Any, Final

import numpy as np
from numpy import uint64

from millebornes.envs.fields import MAX_HISTORY, MAX_POINTS, POINTS
from millebornes.envs.seeding import HASHING, deck_word
from millebornes.envs.seen import FORM, SEEN, write_mask, write_numbers, write_seen
from millebornes.kernels.bits import high_product
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.kernels.memory import put_float
from millebornes.policies.compiled import highest_total
from millebornes.policies.deal import make_move, start_deal
from millebornes.policies.dispatch import RANDOM, choose_code
from millebornes.policies.games import decision_word, hand_word, is_decided
from millebornes.policies.random_play import RANKS, choose_ranked
from millebornes.rules.masks import legal_word
from millebornes.rules.scoring import side_score
from millebornes.rules.shuffling import random_word, write_shuffled
from millebornes.rules.state import SEATS, Phase, Record, Word
from millebornes.rules.tables import PASS

__all__ = [
    "CONTROL",
    "DISABLED",
    "EVERY_SEAT",
    "FORFEIT",
    "GAME",
    "MIX_LINE",
    "NEXT_STEP",
    "REWARDS",
    "SAME_STEP",
    "begin_games",
    "observe_seat",
    "step_games",
]

NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When a finished episode is followed by the next one: at the next step, at once, or when that is asked for."""
REWARDS: Final = ("points", "lead", "match")
"""What is rewarded: one's side's points of a hand, their lead over the mean of the others, or the match (1, 0, -1)."""
EVERY_SEAT: Final = -1
FORFEIT: Final = -1000.0
"""The reward in points for an illegal action, which ends the episode; for the reward of matches it is -1."""

EVENTS: Final = MAX_HISTORY + 1

GAME: Final = np.dtype(
    [
        ("seed", "u8"),  # of the match whose hands are played
        ("key", "u8"),  # what the chance of all decisions depends on
        ("hand", "i8"),  # number of the hand, from 1
        ("ply", "i8"),  # decisions so far
        ("ended", "i8"),  # 1 where the episode is over
        ("done", "i8"),  # 1 where the latest step ended one
        ("illegal", "i8"),  # 1 where it did so by an illegal action
        ("seat", "i8"),  # who decides, or whose seat one's own is
        ("words", "u8", SEATS),  # legal move codes
        ("line", "u1", SEATS),  # seat -> which of the players sits there
        ("rewards", "f4", SEATS),  # by side, for the latest step
        ("points", "i4", SEATS),  # by side, of the latest finished hand
        ("events", "i8"),  # public moves so far
        ("event", "u2", EVENTS),  # the latest of them, in turn: seat * 512 + move code
    ],
    align=True,
)
"""What a game is about, beside its state and deal."""

CONTROL: Final = np.dtype(
    [
        ("mode", "i8"),  # `NEXT_STEP`, `SAME_STEP` or `DISABLED`
        ("reward", "i8"),  # place in `REWARDS`
        ("seat", "i8"),  # which seat is one's own, or `EVERY_SEAT`
        ("mixture", "i8"),  # players that the other seats are drawn from
        ("observations", "i8"),  # where the observations lie during a call, float32 ...
        ("final", "i8"),  # ... those of finished episodes
        ("numbers", "i8"),  # ... and how many bytes one takes
        ("masks", "i8"),  # where the masks lie during a call, int8 ...
        ("actions", "i8"),  # ... and how many actions there are
        ("rewards", "f4", SEATS),  # room
        ("points", "i4", SEATS),  # room
        ("seen", SEEN),  # room
        ("hashing", HASHING),
        ("form", FORM),
        ("ranks", RANKS),
    ],
    align=True,
)
"""How games are stepped, and where their outputs go. Its addresses hold for one call of a kernel (`lay_out`)."""


U = np.uint64
ZERO, ONE, CODE_MASK, WORD_SHIFT, EVERY_CODE = U(0), U(1), U(63), U(6), ~U(0)
OVER = np.uint8(Phase.OVER)
PASS_CODE = U(PASS)
MIX_LINE: Final = 0xD6E8FEB86659FD93
"""Tells the chance that draws the opponents of a hand from that of its decisions."""
SALT = U(MIX_LINE)
EVENT_MASK: Final = EVENTS - 1
EVENT_CODES: Final = 512
TOTAL_UNIT = np.float32(1 / POINTS)
MAX_TOTAL: Final = MAX_POINTS
NO_REWARD = np.float32(0)


@kernel
def begin_hand(state: Record, deal: Record, game: Record, work: Record, control: Record) -> None:
    """Deal the next hand of a game."""
    tables = work["tables"]
    seats = np.int64(tables["seats"])
    game["hand"] += 1
    game["ply"] = game["events"] = game["ended"] = 0
    hand = game["hand"]
    work["generator"]["word"] = deck_word(game["seed"], hand, control["hashing"])
    write_shuffled(state, tables, work["generator"])
    deal["chance"] = hand_word(game["key"], hand)
    start_deal(state, tables, (hand - 1) % seats, deal)  # R2.7
    if control["mixture"] > 1:
        work["generator"]["word"] = deal["chance"] ^ SALT
        for seat in range(seats):
            game["line"][seat] = np.uint8(high_product(random_word(work["generator"]), uint64(control["mixture"])))


@inner_kernel
def play_code(state: Record, deal: Record, game: Record, work: Record, history: Word, code: Word) -> None:
    """Make a move, and note it where it is seen and asked for."""
    if history > 0 and code != PASS_CODE:
        place = game["events"] & EVENT_MASK
        game["event"][place] = np.uint16(EVENT_CODES * np.int64(state["seat"]) + np.int64(code))
        game["events"] += 1
    game["ply"] += 1
    make_move(state, work["tables"], code, deal)


@inner_kernel
def reward_match(deal: Record, game: Record, sides: Word) -> None:
    """A match has ended: 1 for the winner, -1 for who has lost, 0 for those that share the highest total (R8.2)."""
    best, leaders = highest_total(deal["totals"][:sides])
    for side in range(sides):
        if deal["totals"][side] < best:
            game["rewards"][side] = np.float32(-1)
        else:
            game["rewards"][side] = np.float32(leaders == 1)


@inner_kernel
def reward_hand(game: Record, sides: Word, is_lead: bool) -> None:
    """A hand is over: its points, or the lead over the mean of the others, for each side."""
    total: Any = np.int64(0)
    for side in range(sides):
        total += np.int64(game["points"][side])
    for side in range(sides):
        worth = np.float64(game["points"][side])
        if is_lead:
            worth -= (np.float64(total) - worth) / np.float64(sides - 1)
        game["rewards"][side] += np.float32(worth)


@kernel
def finish_hand(state: Record, deal: Record, game: Record, work: Record, control: Record) -> Word:
    """Score a hand that is over; 1 where the episode has ended with it, else the next hand is dealt."""
    tables = work["tables"]
    sides = np.int64(tables["sides"])
    for side in range(sides):
        points = np.int64(side_score(state, tables, uint64(side)))
        game["points"][side] = np.int32(points)
        deal["totals"][side] += points
    ended = is_decided(deal["totals"], sides, deal["target"], work["lookups"])
    if control["reward"] < 2:
        reward_hand(game, sides, control["reward"] == 1)
    elif ended:
        reward_match(deal, game, sides)
    if ended:
        for side in range(sides):  # an observation tells what they were before the hand
            deal["totals"][side] -= np.int64(game["points"][side])
        game["ended"] = 1
        return 1
    begin_hand(state, deal, game, work, control)
    return 0


@inner_kernel
def go_on(state: Record, deal: Record, game: Record, work: Record, control: Record, players: Any) -> None:
    """Let the other seats play until one's own seat decides or the episode has ended."""
    own, usable = control["seat"], control["ranks"]["usable"] != 0
    history = control["form"]["history"]
    while True:
        if state["phase"] == OVER:
            if finish_hand(state, deal, game, work, control):
                return
        elif own == EVERY_SEAT or np.int64(state["seat"]) == own:
            return
        else:
            work["generator"]["word"] = decision_word(deal["chance"], uint64(game["ply"]))
            seated = players[game["line"][state["seat"]]]
            if usable and seated["who"] == RANDOM:
                code = choose_ranked(state, work["tables"], control["ranks"], work["generator"])
            else:
                code = uint64(choose_code(state, deal, seated, work))
            play_code(state, deal, game, work, history, code)


@inner_kernel
def begin_episode(state: Record, deal: Record, game: Record, work: Record, control: Record, players: Any) -> None:
    """Deal hands until one's own seat has something to decide; episodes in which it never has are passed over."""
    while True:
        for side in range(SEATS):
            deal["totals"][side] = 0
        begin_hand(state, deal, game, work, control)
        go_on(state, deal, game, work, control, players)
        if game["ended"] == 0:
            return


@inner_kernel
def clear_rewards(game: Record, sides: Word) -> None:
    """Nobody has got anything yet."""
    for side in range(sides):
        game["rewards"][side] = NO_REWARD


@inner_kernel
def observed_points(points: Word) -> Any:
    """Points of a match as an observation tells them: at most `MAX_POINTS`."""
    most: Any = np.int64(MAX_TOTAL)
    return np.float32(min(np.int64(points), most)) * TOTAL_UNIT


@inner_kernel
def write_match(deal: Record, tables: Record, own: Word, form: Record, out: Word) -> None:
    """Write totals and target of the match, in `POINTS`."""
    at = form["totals_at"]
    for n in range(form["sides"]):
        put_float(out, at + n, observed_points(deal["totals"][tables["opponent"][own, n]]))
    put_float(out, at + form["sides"], observed_points(deal["target"]))


@kernel
def write_events(game: Record, seat: Word, form: Record, out: Word) -> None:
    """Write the latest public events, the last one first."""
    at = form["history_at"]
    seats = form["seats"]
    count = min(game["events"], form["history"])
    for n in range(form["history"]):
        if n < count:
            event = np.int64(game["event"][(game["events"] - 1 - n) & EVENT_MASK])
            put_float(out, at, np.float32((event // EVENT_CODES + seats - np.int64(seat)) % seats + 1))
            put_float(out, at + 1, np.float32(event % EVENT_CODES + 1))
        else:
            put_float(out, at, NO_REWARD)
            put_float(out, at + 1, NO_REWARD)
        at += 2


@kernel
def write_row(state: Record, deal: Record, game: Record, work: Record, control: Record, seat: Word, out: Word) -> None:
    """Write what a seat observes of a game at an address."""
    tables, form, seen = work["tables"], control["form"], control["seen"]
    write_seen(state, tables, deal["public"], seat, seen)
    write_numbers(seen, form, out)
    write_match(deal, tables, tables["side_of"][seat], form, out)
    if form["history"] > 0:
        write_events(game, seat, form, out)


@inner_kernel
def write_all(
    state: Record, deal: Record, game: Record, work: Record, control: Record, i: Word, observations: Word
) -> None:
    """Write observation, mask and whose decision it is. The mask of a finished episode is all ones."""
    tables, form = work["tables"], control["form"]
    seat = np.int64(state["seat"]) if control["seat"] == EVERY_SEAT else control["seat"]
    game["seat"] = seat
    write_row(state, deal, game, work, control, uint64(seat), observations + i * control["numbers"])
    mask = control["masks"] + i * control["actions"]
    for n in range(tables["targets"]):
        word = EVERY_CODE if game["ended"] else legal_word(state, tables, uint64(n))
        game["words"][n] = word
        write_mask(word, form, np.int64(n), mask)


@inner_kernel
def forfeit(state: Record, game: Record, work: Record, control: Record) -> None:
    """An illegal action ends the episode; the side that tried it is punished, and nobody gets anything else."""
    for side in range(SEATS):
        game["points"][side] = 0
    punished = np.float32(-1.0) if control["reward"] == 2 else np.float32(FORFEIT)
    game["rewards"][work["tables"]["side_of"][state["seat"]]] = punished
    game["ended"] = game["illegal"] = 1


@kernel
def begin_at_once(state: Record, deal: Record, game: Record, work: Record, control: Record, players: Any) -> None:
    """`SAME_STEP`: begin the next episode, but leave what the last one brought."""
    rewards, points = control["rewards"], control["points"]
    for side in range(SEATS):
        rewards[side], points[side] = game["rewards"][side], game["points"][side]
    begin_episode(state, deal, game, work, control, players)
    for side in range(SEATS):
        game["rewards"][side], game["points"][side] = rewards[side], points[side]


@inner_kernel
def lay_out(control: Record, outputs: Any, games: Word) -> bool:
    """Write down where the outputs lie, for this call only; False where they are not made for these games.

    They are observations (games, numbers), those of finished episodes, masks (games, actions), and states in which
    illegal actions were tried. The second and the last have no rows unless the next episode begins in the step that
    ends one.
    """
    observations, final, masks, left = outputs
    size, most = control["numbers"] // 4, games if control["mode"] == SAME_STEP else 0
    same = len(observations) == games and len(masks) == games and len(final) == most and len(left) == most
    if not same or observations.shape[1] != size or final.shape[1] != size or masks.shape[1] != control["actions"]:
        return False
    control["observations"] = np.int64(observations.ctypes.data)
    control["final"] = np.int64(final.ctypes.data)
    control["masks"] = np.int64(masks.ctypes.data)
    return True


@kernel
def begin_games(
    which: Any, players: Any, works: Any, controls: Any, states: Any, deals: Any, games: Any, outputs: Any
) -> Word:
    """Begin new episodes where ``which`` says so, and write what is observed everywhere (`lay_out`).

    Returns -1, with nothing done, where the arrays do not fit each other.
    """
    work, control = works[0], controls[0]
    if not fits(which, states, deals, games) or not lay_out(control, outputs, len(games)):
        return -1
    for i in range(len(which)):
        state, deal, game = states[i], deals[i], games[i]
        if which[i]:
            begin_episode(state, deal, game, work, control, players)
            clear_rewards(game, SEATS)
            game["done"] = game["illegal"] = 0
        write_all(state, deal, game, work, control, i, control["observations"])
    return 0


@inner_kernel
def fits(rows: Any, states: Any, deals: Any, games: Any) -> bool:
    """Whether there is one of everything for each game."""
    return len(rows) == len(games) and len(states) == len(games) and len(deals) == len(games)


@kernel
def step_games(
    actions: Any, players: Any, works: Any, controls: Any, states: Any, deals: Any, games: Any, outputs: Any
) -> Word:
    """Make a move in every game and go on to the next decision; how many actions were illegal.

    The arrays are those of `begin_games`; -1, with nothing done, where they do not fit.
    """
    illegal = 0
    work, control = works[0], controls[0]
    if not fits(actions, states, deals, games) or not lay_out(control, outputs, len(games)):
        return -1
    history, mode, size = control["form"]["history"], control["mode"], control["actions"]
    sides = np.int64(work["tables"]["sides"])
    for i in range(len(actions)):
        state, deal, game = states[i], deals[i], games[i]
        clear_rewards(game, sides)
        game["illegal"] = 0
        if game["ended"]:
            if mode != DISABLED:
                begin_episode(state, deal, game, work, control, players)
                clear_rewards(game, sides)
                game["done"] = 0
                write_all(state, deal, game, work, control, i, control["observations"])
            continue
        action = actions[i]
        code = uint64(action)
        if 0 <= action < size and game["words"][code >> WORD_SHIFT] >> (code & CODE_MASK) & ONE:
            play_code(state, deal, game, work, history, code)
            go_on(state, deal, game, work, control, players)
        else:
            if mode == SAME_STEP:
                outputs[3][i] = states[i]
            forfeit(state, game, work, control)
            illegal += 1
        game["done"] = game["ended"]
        if game["ended"] and mode == SAME_STEP:
            write_row(state, deal, game, work, control, uint64(game["seat"]), control["final"] + i * control["numbers"])
            begin_at_once(state, deal, game, work, control, players)
        write_all(state, deal, game, work, control, i, control["observations"])
    return illegal


@kernel
def observe_seat(i: Word, seat: Word, out: Any, works: Any, controls: Any, states: Any, deals: Any, games: Any) -> Word:
    """Write what some seat observes of a game into an array, whoever is to decide; -1 where they do not fit."""
    work, control = works[0], controls[0]
    if not 0 <= i < len(games) or not 0 <= seat < np.int64(work["tables"]["seats"]):
        return -1
    if 4 * len(out) != control["numbers"] or not fits(games, states, deals, games):
        return -1
    address = np.int64(out.ctypes.data)
    write_row(states[i], deals[i], games[i], work, control, uint64(seat), address)
    return 0
