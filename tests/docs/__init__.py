"""Tests of the promises that the pages make."""

import sys
from pathlib import Path

# pytest does this by its settings; `python -m tests.docs.check` and its like need it too.
_hooks = str(Path(__file__).resolve().parents[2] / "docs" / "hooks")
if _hooks not in sys.path:
    sys.path.append(_hooks)
