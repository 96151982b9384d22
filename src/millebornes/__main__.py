"""Run the command ``millebornes`` with ``python -m millebornes``."""

import sys

from millebornes.cli import main

if __name__ == "__main__":
    sys.exit(main())
