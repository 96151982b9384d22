"""A small neural net that predicts the value of each move: its inputs, and the kernels that run it.

The net reads the features of `millebornes.policies.features` as a long row of ones and zeros, most of them zeros. Its
first layer therefore only has to add up about sixty rows of weights. If hazards may be played on several sides, the net
reads the hand once for each of these sides, rotated so that the side is the one opposite.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.kernels.memory import carray, float_pointer
from millebornes.kernels.vectors import add_rows, weigh_rows
from millebornes.policies.codes import ACCIDENT, FINISH, KINDS, REPAIRS, RIGHT_OF_WAY, SAFETY
from millebornes.policies.heuristic import SUMS
from millebornes.policies.opponent_features import ACTS, MAX_TURNS_AGO
from millebornes.rules.state import Record, Word

Places = npt.NDArray[np.uint16]
"""The positions of the ones in the input row."""
NetNumbers = npt.NDArray[np.float32]
"""The numbers of a net, or the results of running it."""

FIRST: Final = 128
"""The number of units in the first layer."""
SECOND: Final = 32
"""The number of units in the second layer."""
OUTPUTS: Final = 64
"""The number of outputs: one for each move code below 64, in units of 100 points. The output `VALUE` isn't a move."""
WIDTH: Final = FIRST + OUTPUTS
"""The number of sums that an input adds to: the units of the first layer and, directly, the outputs."""
VALUE: Final = 63
"""The output that predicts by how many more points this side will lead at the end, in units of 100 points."""
MAX_OPINION: Final = 2500
"""Values above this number of points are commands (a coup fourré, a win) rather than estimates."""

# ---------------------------------------------------------------- its inputs

RESTS, PILES, MANY, LEGAL = 64, 32, 16, 64
SIDE: Final = RESTS + 3 + 16 + 16 + 1  # remaining distance, 200s, battle and speed, safeties, whether shut out
IN_HAND: Final = 0  # 19 kinds, one to four cards of each, useful or not
IN_UNSEEN: Final = IN_HAND + 8 * KINDS  # 19 kinds, eight numbers, useful or not
IN_OWN: Final = IN_UNSEEN + 16 * KINDS
IN_OTHER: Final = IN_OWN + SIDE
IN_CARDS: Final = IN_OTHER + SIDE  # number of cards in the hands of the side opposite
IN_THREAT: Final = IN_CARDS + MANY
IN_REST: Final = IN_THREAT + 3  # the best of all other sides: remaining distance, threat, number of moving sides
IN_PARTNERS: Final = IN_REST + MANY + 3 + 8
IN_PILE: Final = IN_PARTNERS + MANY
IN_TOP: Final = IN_PILE + PILES  # the card on top of the discard pile
IN_EXTENSION: Final = IN_TOP + KINDS + 1
IN_SUMS: Final = IN_EXTENSION + 1  # whether one card or several cards in hand complete the trip; the sum of the hand
IN_LEGAL: Final = IN_SUMS + 2 + MANY
IN_PASSED: Final = IN_LEGAL + LEGAL  # cards that the side opposite seemed not to have: 19 kinds, seven ages
IN_GAVE: Final = IN_PASSED + 7 * KINDS  # cards that it discarded: 19 kinds, four ages
IN_ACTS: Final = IN_GAVE + 4 * KINDS  # its latest two actions
NEEDS, COARSE = 22, 8
IN_NEEDS: Final = IN_ACTS + 2 * ACTS  # in a match: the points that this side and the nearest other side need
IN_MATCH: Final = IN_NEEDS + 2 * NEEDS  # the same for both together, in coarser steps
INPUTS: Final = IN_MATCH + COARSE * COARSE
"""The number of positions in the input row."""
MAX_INPUTS: Final = 107
"""The maximum number of ones in the row: 7 cards in hand and 9 plays, 19 unseen kinds, 38 for the past, 34 others."""


def _bins(edges: list[int], size: int) -> npt.NDArray[np.int64]:
    return np.searchsorted(np.array(edges), np.arange(size), side="right")


PASSED_BIN: Final = _bins([1, 2, 3, 4, 6, 9], MAX_TURNS_AGO)
"""Number of turns since a seat seemed not to have a card -> one of seven ranges."""
GAVE_BIN: Final = _bins([1, 3, 6], MAX_TURNS_AGO)
"""Number of turns since a seat discarded a card -> one of four ranges."""
UNSEEN_BIN: Final = _bins([1, 2, 3, 4, 5, 7, 10], 256)
"""Number of unseen cards -> one of eight ranges."""
PILE_BIN: Final = _bins([*range(1, 11), *range(12, 36, 3), *range(38, 78, 4), 90, 120, 160], 256)
"""Number of cards left to draw -> one of 32 ranges."""
NEED_BIN: Final = _bins([4, 8, 12, 16, 20, 24, 28, 34, 40, 48, 56, 64, 72, 80, 92, 104, 120, 136, 152, 168, 184], 256)
"""A need in units of 25 points -> one of `NEEDS` ranges."""
COARSE_BIN: Final = _bins([20, 40, 60, 80, 100, 130, 170], 256)
"""A need in units of 25 points -> one of `COARSE` ranges."""
assert NEED_BIN.max() == NEEDS - 1
assert COARSE_BIN.max() == COARSE - 1
assert UNSEEN_BIN.max() == 7
assert PILE_BIN.max() == PILES - 1

RULES_INPUTS: Final = 26
"""The number of inputs that describe the rules."""


def rules_inputs(rules: Rules) -> npt.NDArray[np.float32]:
    """Return the inputs that describe the rules of a table: `RULES_INPUTS` numbers, from about 0 to 1."""
    inputs = [
        rules.goal / 1000,
        (rules.extension_goal or 0) / 1000,
        rules.extension_goal is not None,
        rules.hand_size / 6,
        rules.cards / 112,
        *(rules.sides == sides for sides in range(2, 7)),
        rules.seats // rules.sides > 1,
        rules.seats / 8,
        rules.hazard_on == "stack",
        rules.hazard_on == "stack_different",
        rules.targets == "left",
        rules.coup_by == "anyone",
        rules.roll_200,
        rules.opening_right_of_way,
        rules.right_of_way_clears,
        rules.safety_gives_roll,
        rules.discard_safeties,
        rules.all_safeties_bonus / 1000,
        rules.hand_end == "plays",
        rules.hand_end == "points",
        sum(rules.deck[:ACCIDENT]) / rules.cards,
        sum(rules.deck[ACCIDENT:REPAIRS]) / rules.cards,
    ]
    return np.array(inputs, np.float32)


@inner_kernel
def covering(kind: Word) -> Word:
    """Return the index of the safety for a hazard or remedy."""
    if kind >= REPAIRS:
        kind -= 5
        if kind >= 8:
            return 3
    return min(kind - ACCIDENT, 3)


@inner_kernel
def write_side(f: Record, n: Word, at: Word, inputs: Places, count: Word) -> Word:
    """Write the inputs for the tableau of the n-th next side, and return the new number of inputs."""
    side = f["sides"][n]
    rest = min(max(f["goal"] - side["distance"], 0), RESTS - 1)
    inputs[count] = at + rest
    inputs[count + 1] = at + RESTS + side["two_hundreds"]
    battle = 7
    if side["under"] >= 0:
        battle = side["under"] - ACCIDENT + 1
    elif side["moving"]:
        battle = 0
    inputs[count + 2] = at + RESTS + 3 + 2 * battle + side["limited"]
    inputs[count + 3] = at + RESTS + 19 + side["safeties"]
    count += 4
    if side["distance"] == 0:
        inputs[count] = at + RESTS + 35
        count += 1
    return count


@kernel
def write_inputs(f: Record, n: Word, inputs: Places) -> Word:
    """Write the positions of the ones in the input row for play against the n-th next side, and return their number."""
    count = 0
    sides = f["sides"]
    own = sides[0]["safeties"]
    other = sides[n]["safeties"]
    rest = f["goal"] - sides[0]["distance"]
    two_hundreds = sides[0]["two_hundreds"]
    most = 0
    single = False
    for kind in range(KINDS):
        held = f["hand"][kind]
        left = f["unseen"][kind]
        useless = 0
        dead = 0
        if kind < ACCIDENT:
            units = kind + 1 + 3 * (kind >> 2)
            if units > rest or (kind == 4 and two_hundreds == 2):
                useless = 1
            elif held:
                most += units * held
                single |= units == rest
        elif kind < REPAIRS:
            useless = other >> covering(kind) & 1
            dead = own >> covering(kind) & 1
        elif kind < SAFETY:
            useless = own >> covering(kind) & 1
            dead = other >> covering(kind) & 1
        if held:
            inputs[count] = IN_HAND + 8 * kind + 4 * useless + min(held, 4) - 1
            count += 1
        inputs[count] = IN_UNSEEN + 16 * kind + 8 * dead + UNSEEN_BIN[max(left, 0)]
        count += 1
    count = write_side(f, 0, IN_OWN, inputs, count)
    count = write_side(f, n, IN_OTHER, inputs, count)
    inputs[count] = IN_CARDS + min(sides[n]["cards"], MANY - 1)
    inputs[count + 1] = IN_THREAT + f["threats"][n]
    inputs[count + 2] = IN_PARTNERS + min(sides[0]["cards"], MANY - 1)
    inputs[count + 3] = IN_PILE + PILE_BIN[min(f["draw_pile"], 255)]
    inputs[count + 4] = IN_TOP + f["top"] + 1
    count += 5
    if f["side_count"] > 2:
        nearest = 4 * (MANY - 1)
        threat = 0
        moving = 0
        for i in range(1, f["side_count"]):
            if i != n:
                nearest = min(nearest, f["goal"] - sides[i]["distance"])
                threat = max(threat, f["threats"][i])
                moving += sides[i]["moving"]
        inputs[count] = IN_REST + max(nearest, 0) // 4
        inputs[count + 1] = IN_REST + MANY + threat
        inputs[count + 2] = IN_REST + MANY + 3 + moving
        count += 3
    if f["extended_goal"]:
        inputs[count] = IN_EXTENSION
        count += 1
    if single:
        inputs[count] = IN_SUMS
        count += 1
    cards = f["hand"]
    small = cards[0] + 8 * cards[1] + 64 * cards[2] + 512 * cards[3]
    large = min(np.int64(cards[4]), 2 - two_hundreds)
    reach = SUMS[small]
    if large > 0:
        reach |= reach << 8
    if large > 1:
        reach |= reach << 8
    if 0 < rest < 56 and reach >> rest & 1:
        inputs[count] = IN_SUMS + 1
        count += 1
    inputs[count] = IN_SUMS + 2 + min(most // 2, MANY - 1)
    count += 1
    for i in range(f["count"]):
        code = f["codes"][i]
        if (code % 3 or code == PASS_PLACE) and code // 64 in (0, n - 1):
            if code < 64 and n > 1 and 3 * ACCIDENT <= code < 3 * REPAIRS:
                continue  # the play of a hazard on another side
            inputs[count] = IN_LEGAL + code % 64
            count += 1
    past = f["opponents"][n]
    for kind in range(KINDS):
        turns = past["passed"][kind]
        if turns < MAX_TURNS_AGO:
            inputs[count] = IN_PASSED + 7 * kind + PASSED_BIN[turns]
            count += 1
        turns = past["gave"][kind]
        if turns < MAX_TURNS_AGO:
            inputs[count] = IN_GAVE + 4 * kind + GAVE_BIN[turns]
            count += 1
    for i in range(2):
        inputs[count + i] = IN_ACTS + ACTS * i + past["acts"][i]
    count += 2
    if f["match_target"] > 0:
        own_need = min(max(f["own_need"], 0) // 25, 255)
        other_need = min(max(f["other_need"], 0) // 25, 255)
        inputs[count] = IN_NEEDS + NEED_BIN[own_need]
        inputs[count + 1] = IN_NEEDS + NEEDS + NEED_BIN[other_need]
        inputs[count + 2] = IN_MATCH + COARSE * COARSE_BIN[own_need] + COARSE_BIN[other_need]
        count += 3
    return count


PASS_PLACE: Final = 60
assert RIGHT_OF_WAY == SAFETY + 3

# ---------------------------------------------------------------- running the net

AT_FIRST: Final = 8  # preceded by the weight of the maxims' values (0 for none), and unused space
AT_ROWS: Final = AT_FIRST + WIDTH
AT_SECOND: Final = AT_ROWS + INPUTS * WIDTH
AT_SECOND_ROWS: Final = AT_SECOND + SECOND
AT_OUT: Final = AT_SECOND_ROWS + FIRST * SECOND
AT_OUT_ROWS: Final = AT_OUT + OUTPUTS
FLOATS: Final = AT_OUT_ROWS + SECOND * OUTPUTS
"""The number of floats in a net that is ready for a table: the constants of each layer, then a row for each input."""
ZERO_WEIGHT, HUNDRED, WON = np.float32(0), np.float32(100), np.float32(1_000_000)


@inner_kernel
def weights_at(address: Word) -> NetNumbers:
    """Return the weights of the net stored at a memory address."""
    numbers: NetNumbers = carray(float_pointer(np.uint64(address)), (FLOATS,))
    return numbers


@kernel
def run_net(net: NetNumbers, inputs: Places, count: Word, hidden: NetNumbers, out: NetNumbers) -> None:
    """Run the net on the positions of the ones in ``inputs``, and write `OUTPUTS` numbers to ``out``."""
    add_rows(net, AT_FIRST, AT_ROWS, WIDTH, inputs, count, hidden)
    second = hidden[WIDTH : WIDTH + SECOND]
    weigh_rows(net, AT_SECOND, AT_SECOND_ROWS, SECOND, hidden, FIRST, second)
    weigh_rows(net, AT_OUT, AT_OUT_ROWS, OUTPUTS, second, SECOND, out)
    for j in range(OUTPUTS):
        out[j] += hidden[FIRST + j]


@kernel
def score_moves(f: Record, net: NetNumbers, scores: NetNumbers) -> np.float32:
    """Write the net's score of each legal move in points, and return its estimate of the hand's value in points.

    If the net's scores are added to the values of the maxims (``net[0]``), ``f["worths"]`` must contain these values.
    """
    inputs = np.empty(MAX_INPUTS, np.uint16)
    hidden = np.empty(WIDTH + SECOND, np.float32)
    out = np.empty(OUTPUTS, np.float32)
    value = ZERO_WEIGHT
    for n in range(1, f["targets"] + 1):
        wanted = n == 1
        for i in range(f["count"]):
            wanted |= f["codes"][i] // 64 == n - 1
        if not wanted:
            continue
        run_net(net, inputs, write_inputs(f, n, inputs), hidden, out)
        if n == 1:
            value = HUNDRED * out[VALUE]
        for i in range(f["count"]):
            if f["codes"][i] // 64 == n - 1:
                scores[i] = HUNDRED * out[f["codes"][i] % 64]
    if net[0] != ZERO_WEIGHT:
        for i in range(f["count"]):
            worth = np.float32(f["worths"][i])
            scores[i] = worth if abs(f["worths"][i]) > MAX_OPINION else scores[i] + net[0] * worth
    return value


@kernel
def best_by_net(f: Record, net: NetNumbers) -> Word:
    """Return the first legal move with the highest of the ``scores``, but always finish if this wins the match."""
    scores = f["scores"]
    if f["wins"] and f["codes"][f["count"] - 1] == FINISH:
        for i in range(f["count"]):
            scores[i] = ZERO_WEIGHT
        scores[f["count"] - 1] = WON
        return FINISH
    score_moves(f, net, scores)
    best: Word = 0
    for i in range(1, f["count"]):
        if scores[i] > scores[best]:
            best = i
    return f["codes"][best]
