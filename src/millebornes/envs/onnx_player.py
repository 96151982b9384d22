"""Policies in ONNX files: what a file has to contain, and the player that runs it with `onnxruntime`.

`onnxruntime` trusts the contents of the files that it loads, so use only files that you trust.
"""

import functools
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.envs.actions import action_count
from millebornes.envs.fields import MAX_HISTORY, OBSERVATION_VERSION, layout_for
from millebornes.envs.policy_player import PolicyPlayer
from millebornes.errors import MilleBornesError, PlayerError, message_of, printable
from millebornes.game import LegalMoves, Move, View
from millebornes.player_names import ONNX_PREFIX

VERSION, RULES, HISTORY = "millebornes_observation", "millebornes_rules", "millebornes_history"
"""The keys in the metadata of a file."""
OBSERVATION, MASK, LOGITS = "observation", "action_mask", "logits"
"""The names of the inputs and of the output of a net."""
FLOAT: Final = "tensor(float)"
MASKS: Final[dict[str, Any]] = {"tensor(bool)": np.bool_, "tensor(int8)": np.int8, FLOAT: np.float32}
"""The data types that a net may use for its action mask."""


def onnx_metadata(rules: Rules | None, history: int = 0) -> dict[str, str]:
    """Return the metadata that the ONNX file of a policy has to contain. All keys and values are strings.

    ``rules`` are the rules that the policy plays by. If it is None, the policy can play at any table whose observations
    and actions have the same shape. ``history`` is the number of public events in an observation.
    """
    metadata = {VERSION: str(OBSERVATION_VERSION)}
    if rules is not None:
        metadata[RULES] = str(rules)
    return metadata | ({HISTORY: str(history)} if history else {})


class _Net(NamedTuple):
    file: str
    session: Any
    observation: Any
    mask: Any
    logits: Any
    rules: Rules | None
    history: int


class OnnxPlayer(PolicyPlayer):
    """A player that plays the legal move with the highest output of a net, or the first of several equal moves.

    Raises `PlayerError` with the reason if the file can't be used.
    """

    name = "onnx"
    summary: ClassVar[str] = "asks a net in an ONNX file; does not look ahead"

    def __init__(self, file: str) -> None:
        self._net: Final = _read(file)
        self._logits: npt.NDArray[np.float32] = np.zeros(0, np.float32)
        self._latest: dict[str, object] = {}
        super().__init__(self._act, history=self._net.history)

    def check_table(self, rules: Rules) -> None:
        """Raise `PlayerError` unless the net was made for a table with these rules."""
        net = self._net
        if net.rules is not None and net.rules != rules:
            raise PlayerError(f"{net.file} was made for the rules {net.rules}, and cannot play by {rules}")
        size, count = layout_for(rules, net.history).size, action_count(rules)
        wanted = [(net.observation, size), (net.logits, count), *([(net.mask, count)] if net.mask else [])]
        for put, numbers in wanted:
            if isinstance(put.shape[1], int) and put.shape[1] != numbers:
                raise PlayerError(
                    f"{net.file}: its {put.name!r} has {put.shape[1]} numbers, but the table {rules} needs {numbers}"
                )

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """Return the legal move with the highest output. ``rng`` isn't used. Raises `PlayerError`."""
        self._latest = {}
        move = super().choose(view, legal, rng)
        codes = {legal.code(one) or 0: str(one) for one in legal}
        self._latest = {"logits": {text: round(float(self._logits[code]), 3) for code, text in codes.items()}}
        return move

    def explain(self) -> Mapping[str, object]:
        """Return the output of the net for each legal move in the latest decision."""
        return self._latest

    def _act(self, observation: npt.NDArray[np.float32], mask: npt.NDArray[np.int8]) -> int:
        net = self._net
        given: dict[str, npt.NDArray[Any]] = {net.observation.name: observation[None]}
        if net.mask is not None:
            given[net.mask.name] = mask[None].astype(MASKS[net.mask.type])
        try:
            logits = net.session.run([net.logits.name], given)[0]
        except Exception as error:
            raise PlayerError(f"the net of {net.file} could not be run: {message_of(error)}") from None
        if logits.shape != (1, len(mask)):
            raise PlayerError(f"the net of {net.file} returned logits of shape {logits.shape}, not {(1, len(mask))}")
        legal = mask != 0
        if np.isnan(logits[0][legal]).any():
            raise PlayerError(f"the net of {net.file} returned NaN for a legal action")
        self._logits = logits[0]
        places = np.flatnonzero(legal)
        return int(places[logits[0][places].argmax()])


def player_in_onnx(name: str) -> OnnxPlayer:
    """Return a new player for a name such as ``onnx:mine.onnx``.

    Each process reads a file only once. Raises `PlayerError` if the file can't be used.
    """
    player = OnnxPlayer(name.removeprefix(ONNX_PREFIX))
    player.name = name
    return player


# ---------------------------------------------------------------- reading files


def _read(file: str) -> _Net:
    shown = printable(file)
    try:
        path = Path(file).resolve()
        status = path.stat()
        if not path.is_file():
            raise PlayerError(f"{shown!r} isn't a file")
    except FileNotFoundError:
        raise PlayerError(f"there is no file {shown!r}") from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise PlayerError(f"{shown!r} cannot be read ({why})") from None
    return _read_version(path, shown, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=16)
def _read_version(path: Path, shown: str, changed: int, size: int) -> _Net:
    """Read the net in a file. ``changed`` and ``size`` are for the cache, so a file that has changed is read again."""
    try:
        import onnxruntime
    except ImportError:
        raise PlayerError(
            f"{shown}: playing with an ONNX file needs the extra 'onnx': pip install 'millebornes[onnx]'"
        ) from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # games run in parallel, so nets need no threads
    options.log_severity_level = 4  # errors are raised as exceptions, so they need not be printed too
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        inputs = {put.name: put for put in session.get_inputs()}
        outputs = {put.name: put for put in session.get_outputs()}
        metadata = dict(session.get_modelmeta().custom_metadata_map)  # its texts may not be UTF-8
    except Exception as error:  # the library's exceptions have no common base class
        raise PlayerError(f"{shown} isn't an ONNX file that can be run: {message_of(error)}") from None
    if OBSERVATION not in inputs or not set(inputs) <= {OBSERVATION, MASK}:
        names = ", ".join(inputs) or "none"
        raise PlayerError(f"{shown}: its inputs must be {OBSERVATION!r} and, optionally, {MASK!r}; they are {names}")
    if LOGITS not in outputs:
        raise PlayerError(f"{shown}: it must have an output {LOGITS!r}; its outputs are {', '.join(outputs)}")
    mask = inputs.get(MASK)
    for put, types in ((inputs[OBSERVATION], (FLOAT,)), (mask, tuple(MASKS)), (outputs[LOGITS], (FLOAT,))):
        if put is not None and put.type not in types:
            raise PlayerError(f"{shown}: its {put.name!r} is a {put.type}, not a {' or '.join(types)}")
        if put is not None and len(put.shape) != 2:
            raise PlayerError(f"{shown}: its {put.name!r} has the shape {put.shape}, not [n, numbers]")
        if put is not None and isinstance(put.shape[0], int) and put.shape[0] != 1:
            raise PlayerError(f"{shown}: its {put.name!r} takes {put.shape[0]} rows at once, not one or any number")
    rules, history = _read_metadata(metadata, shown)
    return _Net(shown, session, inputs[OBSERVATION], mask, outputs[LOGITS], rules, history)


def _read_metadata(metadata: Mapping[str, str], shown: str) -> tuple[Rules | None, int]:
    version = metadata.get(VERSION)
    if version is None:
        raise PlayerError(
            f"{shown}: its metadata does not contain {VERSION!r}; see millebornes.envs.onnx_metadata for what it needs"
        )
    if version != str(OBSERVATION_VERSION):
        raise PlayerError(
            f"{shown}: it was made for version {printable(version)} of observations, but this program uses version "
            f"{OBSERVATION_VERSION}"
        )
    history = metadata.get(HISTORY, "0")
    if not (history.isascii() and history.isdecimal() and len(history) <= 3 and int(history) <= MAX_HISTORY):
        raise PlayerError(
            f"{shown}: its metadata has {HISTORY} = {printable(history)}, which must be from 0 to {MAX_HISTORY}"
        )
    try:
        rules = Rules.parse(metadata[RULES]) if RULES in metadata else None
    except MilleBornesError as error:
        raise PlayerError(f"{shown}: the rules in its metadata cannot be read: {error}") from None
    return rules, int(history)
