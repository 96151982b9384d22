"""Bots that misbehave, each in its own way: run as a program with the name of the way, and a folder for notes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

READY = {"type": "ready", "name": "bad"}


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def flood(text: str) -> None:
    while True:
        say(text)


def sleep() -> None:
    time.sleep(60)


def close(number: int) -> None:
    os.close(number)
    sleep()


def linger(folder: Path) -> None:
    """Leave somebody behind, who holds our output open."""
    child = subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(60)"])
    (folder / "left").write_text(str(child.pid))


AT_START: dict[str, Callable[[], object]] = {
    "silent": sleep,
    "exits": lambda: sys.exit(3),
    "closes-output": lambda: close(1),
    "wrong-ready": lambda: say('{"type":"hello"}\n'),
    "ready-name": lambda: say('{"type":"ready","name":7}\n'),
}

ANSWERS = {
    "not-json": "roll\n",
    "no-move": '{"mov":"roll"}\n',
    "move-is-number": '{"move":100}\n',
    "no-such-move": '{"move":"fly"}\n',
    "illegal": '{"move":"extend"}\n',
    "far-target": '{"move":"stop>2"}\n',
    "twice-the-key": '{"move":"extend","move":"finish"}\n',
    "partial": '{"move":"-2',
}


def act(way: str, folder: Path, message: dict[str, Any], asked: int) -> None:
    """Answer a choose, well or badly."""
    move = json.dumps({"move": message["legal"][0], "info": {"asked": asked}}) + "\n"
    if way in ANSWERS:
        say(ANSWERS[way])
    elif way == "not-utf8":
        sys.stdout.buffer.write(b'{"move":"\xff\xfe"}\n')
        sys.stdout.flush()
    elif way == "no-answer":
        sleep()
    elif way == "dies-later" and asked == 4:
        sys.stderr.write("out of petrol\n")
        sys.exit(7)
    elif way == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif way == "closes-input" and asked == 2:
        say(move)
        close(0)
    elif way == "flood-no-end":
        flood("z" * 4096)
    elif way == "huge-line":
        say('{"info":"' + "a" * (2 << 20) + '","move":"x"}\n')
    elif way == "flood-after":
        say(move)
        flood('{"move":"-25"}\n')
    elif way == "repeats":
        say('{"move":"-25"}\n')
    elif way == "twice-apart":
        say(move)
        say(move)
    elif way == "pieces":
        for piece in (move[:5], move[5:9], move[9:-1] + "\r", "\n"):
            say(piece)
            time.sleep(0.002)
    elif way == "dies-with-child" and asked == 3:
        linger(folder)
        sys.exit(5)
    else:
        say(move)


def main() -> None:
    way, folder = sys.argv[1], Path(sys.argv[2])
    (folder / "pid").write_text(str(os.getpid()))
    if way == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if way in AT_START:
        AT_START[way]()
    if way == "never-reads":
        say(json.dumps(READY) + "\n")
        sleep()
    asked = 0
    lines: Any = sys.stdin.buffer
    if way == "chatty-bytewise":  # it answers each event while the next question is still in the pipe
        lines = lines.raw
    for line in lines:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            if way == "parent":
                linger(folder)
            say(json.dumps(READY) + "\n")
        elif kind == "choose":
            asked += 1
            act(way, folder, message, asked)
        elif kind == "quit":
            if way == "stubborn":
                continue
            return
        elif way.startswith("chatty"):
            say('{"move":"extend"}\n')
        elif way == "one-match" and kind == "match_over":
            return
        elif way == "noisy":
            sys.stderr.write("hm\n")
    if way == "stubborn":
        sleep()


if __name__ == "__main__":
    main()
