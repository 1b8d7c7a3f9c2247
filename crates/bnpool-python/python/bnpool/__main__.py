"""The command ``bnpool``, as ``python -m bnpool``."""

import sys

from ._bnpool import command


def main() -> int:
    """Run the command with the arguments of the process."""
    return command(sys.argv[1:], [sys.executable, "-m", "bnpool"])


if __name__ == "__main__":
    sys.exit(main())
