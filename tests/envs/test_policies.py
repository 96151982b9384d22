"""Policies learned in the environments, seated as players: callables, and nets in ONNX files."""

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from click.testing import CliRunner

from millebornes import Match, make_rules
from millebornes.arena.schedule import Plan
from millebornes.cli import cli
from millebornes.editions import Rules
from millebornes.envs import (
    HandBatch,
    OnnxPlayer,
    PolicyPlayer,
    TableOptions,
    actions,
    observation_fields,
    onnx_metadata,
)
from millebornes.envs.actions import action_count, action_of
from millebornes.envs.fields import OBSERVATION_VERSION, layout_for
from millebornes.envs.stepping import DISABLED
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.players import Table, play_hand, play_match, player
from tests.arena.reporting import run_arena
from tests.damage import read_in_little_memory

RULES = make_rules("classic")
SIZE, ACTIONS = layout_for(RULES).size, action_count(RULES)
LEARNED = Path(__file__).parents[2] / "examples" / "learners" / "classic-2x2.onnx"


def highest(observation: npt.NDArray[np.float32], mask: npt.NDArray[np.int8]) -> np.int64:
    """The last action that is legal."""
    found: np.int64 = np.flatnonzero(mask)[-1]
    return found


# ---------------------------------------------------------------- callables


@pytest.mark.parametrize("table", [{}, {"edition": "wikibooks", "seats": 3}, {"edition": "house", "seats": 4}], ids=str)
def test_a_policy_sees_at_the_table_what_it_sees_in_the_environment(table: dict[str, Any]) -> None:
    # The same hand, by a policy on every seat and in kernels: all observations and masks are equal, with the events.
    history, seen = 4, []

    def policy(observation: npt.NDArray[np.float32], mask: npt.NDArray[np.int8]) -> np.int64:
        seen.append((observation, mask))
        return highest(observation, mask)

    options = TableOptions(history=history, match_target=5000, reward="match", **table)
    rules, batch = options.rules(), HandBatch(options, 1, mode=DISABLED)
    match = Match.start(rules, seed=5)
    Table(match, [PolicyPlayer(policy, history=history) for _ in range(rules.seats)]).play_hand()
    batch.seed(5)
    batch.reset()
    assert len(seen) > 20
    for observation, mask in seen:
        np.testing.assert_array_equal(observation, batch.observations[0])
        np.testing.assert_array_equal(mask, batch.masks[0])
        batch.step([highest(observation, mask)])
    assert batch.hand_number(0) == 2


def test_what_a_policy_answers_is_checked() -> None:
    answers: Any = iter([lambda mask: np.flatnonzero(mask)[:1], lambda mask: "25"])  # an array of one number will do
    match = Match.start(RULES, seed=1)
    table = Table(match, [PolicyPlayer(lambda seen, mask: next(answers)(mask)), player("random")])
    with pytest.raises(PlayerError, match="its policy chose '25', which isn't the number of an action"):
        table.play_hand()
    assert table.match.hand.ply >= 2
    with pytest.raises(MilleBornesError, match="999 isn't an action"):
        Table(match, [PolicyPlayer(lambda seen, mask: 999), player("random")]).step()
    stop = action_of(RULES, 0, "stop>1")  # nobody is moving yet
    with pytest.raises(PlayerError, match=r"it chose stop>1, which is not legal.*\(R4.4\)"):
        Table(match, [PolicyPlayer(lambda seen, mask: stop), player("random")]).step()
    with pytest.raises(PlayerError, match="history: 999"):
        play_hand(match.hand, [PolicyPlayer(highest, history=999), player("random")], seed=1)


def test_a_policy_plays_in_the_arena_as_a_class_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import numpy as np\n"
        "from millebornes.envs import PolicyPlayer\n"
        "class Mine(PolicyPlayer):\n"
        "    name = 'mine'\n"
        "    def __init__(self):\n"
        "        super().__init__(lambda seen, mask: int(np.flatnonzero(mask)[-1]))\n"
    )
    result = CliRunner().invoke(cli, ["arena", "--player", f"py:{file}", "--player", "random", "--hands", "4"])
    assert result.exit_code == 0, result.output
    assert "mine is py:" in result.stdout
    assert "forfeited" not in result.stdout


# ---------------------------------------------------------------- ONNX files


def write_net(
    file: Path,
    rules: Rules = RULES,
    *,
    metadata: dict[str, str] | None = None,
    shapes: tuple[Any, ...] = (None, None, None),
    names: tuple[str, str, str] = ("observation", "action_mask", "logits"),
    mask: str | None = "INT8",
    kind: str = "FLOAT",
    bias: float = 0.0,
) -> Path:
    """A net whose logits are the mask times ever greater numbers (so it makes the last legal action)."""
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    helper, types = onnx.helper, onnx.TensorProto
    size, count = layout_for(rules).size, action_count(rules)
    observation, wanted, logits = (
        shape if shape is not None else ["n", numbers]
        for shape, numbers in zip(shapes, (size, count, count), strict=True)
    )
    inputs = [helper.make_tensor_value_info(names[0], getattr(types, kind), observation)]
    weights = np.zeros((size, count), np.float32)
    rising = np.arange(count, dtype=np.float32) + np.float32(bias)
    nodes = [helper.make_node("MatMul", [names[0], "weights"], ["none"])]
    if mask:
        inputs.append(helper.make_tensor_value_info(names[1], getattr(types, mask), wanted))
        nodes += [
            helper.make_node("Cast", [names[1]], ["open"], to=types.FLOAT),
            helper.make_node("Mul", ["open", "rising"], ["ranked"]),
            helper.make_node("Add", ["none", "ranked"], [names[2]]),
        ]
    else:
        nodes.append(helper.make_node("Add", ["none", "rising"], [names[2]]))
    graph = helper.make_graph(
        nodes,
        "policy",
        inputs,
        [helper.make_tensor_value_info(names[2], types.FLOAT, logits)],
        [onnx.numpy_helper.from_array(weights, "weights"), onnx.numpy_helper.from_array(rising, "rising")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, onnx_metadata(rules) if metadata is None else metadata)
    file.write_bytes(model.SerializeToString())
    return file


@pytest.mark.parametrize("mask", ["INT8", "BOOL", None])
def test_a_net_plays_as_the_same_policy_in_python(tmp_path: Path, mask: str | None) -> None:
    net = OnnxPlayer(str(write_net(tmp_path / "net.onnx", mask=mask)))
    match = Match.start(RULES, seed=3, match_target=300)
    played = play_match(match, [net, player("basic")])
    again = play_match(match, [PolicyPlayer(highest), player("basic")])
    assert played.totals == again.totals
    assert net.explain()["logits"]


def test_the_arena_plays_a_net_and_in_every_worker_alike(tmp_path: Path) -> None:
    name = f"onnx:{write_net(tmp_path / 'net.onnx')}"
    words = ["arena", "--player", name, "--player", "basic", "--hands", "8", "--seed", "1", "--json"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    assert '"forfeits":0' in result.stdout.replace(" ", "")


BAD: dict[str, tuple[dict[str, Any] | bytes | None, tuple[str, ...], str]] = {
    "none": (None, (), "there is no file"),
    "no onnx": (b"no net at all", (), "isn't an ONNX file that can be run: "),
    "inputs": ({"names": ("obs", "action_mask", "logits")}, (), "they are obs, action_mask"),
    "outputs": ({"names": ("observation", "action_mask", "actions")}, (), "its outputs are actions"),
    "type": ({"mask": "INT32"}, (), "its 'action_mask' is a tensor(int32), not a tensor(bool) or tensor(int8) or"),
    "rows": ({"shapes": ([4, SIZE], [4, ACTIONS], [4, ACTIONS])}, (), "takes 4 rows at once"),
    "size": ({"metadata": onnx_metadata(None)}, ("--seats", "4"), "its 'observation' has 132 numbers, but the table"),
    "rules": ({}, ("--set", "goal=500"), "was made for the rules classic/2x2, and cannot play by classic/2x2/goal=500"),
    "no version": ({"metadata": {}}, (), "its metadata does not contain 'millebornes_observation'"),
    "version": ({"metadata": {"millebornes_observation": "0"}}, (), "was made for version 0 of observations"),
    "history": ({"metadata": onnx_metadata(RULES) | {"millebornes_history": "-1"}}, (), "millebornes_history = -1"),
    "no rules": (
        {"metadata": onnx_metadata(RULES) | {"millebornes_rules": "?"}},
        (),
        "the rules in its metadata cannot be read",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_with_a_file_is_told_in_a_sentence(tmp_path: Path, case: str) -> None:
    pytest.importorskip("onnxruntime")
    made, options, said = BAD[case]
    file = tmp_path / "net.onnx"
    if isinstance(made, bytes):
        file.write_bytes(made)
    elif made is not None:
        write_net(file, **made)
    words = ["arena", "--player", f"onnx:{file}", "--player", "random", "--player", "basic", "--hands", "2", *options]
    result = CliRunner().invoke(cli, words)
    shown = " ".join(result.stderr.split())
    assert result.exit_code == 2, result.output
    assert said in shown
    assert "net.onnx" in shown
    assert "Traceback" not in shown


DAMAGED_NETS = """
import sys
from pathlib import Path
from millebornes.editions import make_rules
from millebornes.envs.onnx_player import OnnxPlayer
from tests.damage import complaint, damaged
whole, refused = Path(sys.argv[1]).read_bytes(), 0
for place, data in enumerate(damaged(whole, "onnx", int(sys.argv[2]))):
    file = Path(sys.argv[1]).with_name(f"bad{place}.onnx")
    file.write_bytes(data)
    refused += complaint(lambda: OnnxPlayer(str(file)).check_table(make_rules("classic", 2, 2, {}))) is not None
    file.unlink()
print(refused)
"""


@pytest.mark.parametrize("count", [80, pytest.param(3000, marks=pytest.mark.campaign)])
def test_damaged_nets_are_refused_or_used(count: int, tmp_path: Path) -> None:
    # In a process of its own, because onnxruntime is not made for such files.
    pytest.importorskip("onnxruntime")
    refused = int(read_in_little_memory(DAMAGED_NETS, str(write_net(tmp_path / "net.onnx")), str(count)))
    assert count // 4 < refused <= count


def test_numbers_that_are_none_lose_by_forfeit(tmp_path: Path) -> None:
    net = OnnxPlayer(str(write_net(tmp_path / "net.onnx", bias=float("nan"))))
    table = Table(Match.start(RULES, seed=1), [net, player("random")])
    with pytest.raises(PlayerError, match=r"returned NaN"):
        table.step()


def test_without_the_library_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "net.onnx"
    file.write_bytes(b"any")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(PlayerError, match=r"needs the extra 'onnx': pip install 'millebornes\[onnx\]'"):
        player(f"onnx:{file}")


def test_a_saved_game_runs_no_net_of_somebody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    write_net(tmp_path / "net.onnx")
    words = ["--player", "onnx:net.onnx", "--player", "basic", "--match-target", "300", "--seed", "1"]
    played = CliRunner().invoke(cli, ["play", "--plain", *words, "saved.jsonl"], input="")
    assert played.exit_code == 0, played.output
    refused = CliRunner().invoke(cli, ["play", "--plain", "saved.jsonl"])
    assert refused.exit_code == 2
    assert "--trust" in refused.stderr


# ---------------------------------------------------------------- what was learned


def test_the_net_of_the_example_plays_well_and_a_batch_of_it_is_its_rows() -> None:
    # What is shipped was learned against `basic` (docs/learners.md); against `random` a few hands show that it plays.
    runtime = pytest.importorskip("onnxruntime")
    learned = f"onnx:{LEARNED}"
    plan = Plan(rules=RULES, players=(learned, "random"), games=20, match_target=None, seed="learned")
    shares = run_arena(plan)["results"][0]
    assert shares["match_share"] > 0.9
    assert shares["forfeits"] == 0
    session = runtime.InferenceSession(str(LEARNED), providers=["CPUExecutionProvider"])
    rows = np.random.default_rng(1).random((5, SIZE), np.float32)
    together = session.run(["logits"], {"observation": rows})[0]
    assert together.shape == (5, ACTIONS)
    for row, logits in zip(rows, together, strict=True):
        alone = session.run(["logits"], {"observation": row[None]})[0][0]
        np.testing.assert_allclose(alone, logits, rtol=1e-4, atol=1e-4)


def test_the_meaning_of_observations_has_a_version() -> None:
    # A net that was learned plays by these numbers. Where they change, so must the version, or it plays nonsense.
    fields = observation_fields(make_rules("classic", seats=4, sides=2), history=2)
    told = "\n".join(f"{field.name} {field.unit} {field.high}" for field in fields) + f"\n{actions(RULES)}"
    assert (OBSERVATION_VERSION, hashlib.sha256(told.encode()).hexdigest()[:16]) == (1, "72d08026bf124951")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("masked_ppo.py", "--imitate 60000 --decisions 66000 --test-deals 32 --out out"),
        ("one_file.py", "--minutes 0.02"),
    ],
)
def test_the_examples_learn(tmp_path: Path, file: str, words: str) -> None:
    pytest.importorskip("sb3_contrib")
    pytest.importorskip("torch")
    command = [sys.executable, str(LEARNED.with_name(file)), *words.split()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    if "out" in words:
        assert (tmp_path / "out.csv").read_text().startswith("decisions,cpu_s,wall_s,lead,stderr\n0,")
        OnnxPlayer(str(tmp_path / "out.onnx")).check_table(RULES)
