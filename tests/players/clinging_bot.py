"""A bot that does not want to go: it and all that it starts ignore the end of their input, and every polite signal.

Run with a folder, where each of its processes leaves a file named after its number. With a second argument, it starts
nothing and ends with its input.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

FOLDER = Path(sys.argv[1])


def cling() -> None:
    """Be there, and stay."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    (FOLDER / str(os.getpid())).touch()


def stay() -> None:
    cling()
    while True:
        time.sleep(60)


if len(sys.argv) > 2:
    (FOLDER / str(os.getpid())).touch()
else:
    if os.fork() == 0:  # a child that holds all our files open
        stay()
    cling()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "clinging"}), flush=True)
    elif message["type"] == "choose":
        print(json.dumps({"move": message["legal"][0]}), flush=True)
if len(sys.argv) == 2:
    stay()
