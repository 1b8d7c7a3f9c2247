"""The command ``bnpool`` of the wheel."""

import os
import sys

from ._bnpool import command

#: Set by calls from Python, so that messages refer to keyword arguments, not flags.
KEYWORDS = "BNPOOL_KEYWORDS"


def main() -> int:
    """Run the command with the arguments of the process."""
    keywords = bool(os.environ.get(KEYWORDS))
    return command(sys.argv[1:], keywords)
