"""Run labs in this process, each distinct one once, as `python lab.py` would.

Several labs share the process, so that PyTorch is imported once; what they could leave to one
another (print options, error handling, random state, `__main__`) is kept apart.
"""

import contextlib
import io
import random
import sys
import time
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

# What numpy starts with, read before any lab can change it.
_PRINT_OPTIONS = np.get_printoptions()
_ERROR_OPTIONS = np.geterr()


@dataclass(frozen=True)
class Outcome:
    """What one fence did: its own output, and what went wrong, if anything."""

    stdout: str
    stderr: str = ""
    warned: tuple[str, ...] = ()
    error: str | None = None
    error_line: int | None = None

    @property
    def clean(self) -> bool:
        """Whether nothing but output came of it."""
        return self.error is None and not self.warned and not self.stderr


@dataclass
class _Session:
    """An interpreter's state between two fences of one chain."""

    module: types.ModuleType = field(default_factory=lambda: types.ModuleType("__main__"))
    print_options: dict[str, Any] = field(default_factory=lambda: dict(_PRINT_OPTIONS))
    error_options: dict[str, Any] = field(default_factory=lambda: dict(_ERROR_OPTIONS))
    random_states: dict[str, Any] = field(default_factory=dict)


def _random_sources() -> dict[str, tuple[Any, Any, Any]]:
    """Give read, write and unpredictable reseed of every global random generator in use."""
    numpy_state = np.random.mtrand._rand
    sources = {
        "random": (random.getstate, random.setstate, random.seed),
        "numpy": (numpy_state.get_state, numpy_state.set_state, numpy_state.seed),
    }
    if torch := sys.modules.get("torch"):
        sources["torch"] = (torch.get_rng_state, torch.set_rng_state, torch.seed)
    return sources


@contextlib.contextmanager
def _inside(session: _Session) -> Iterator[None]:
    """Enter an interpreter's state, and on leaving keep it and restore our own."""
    outer_states = {name: read() for name, (read, _, _) in _random_sources().items()}
    outer_main = sys.modules["__main__"]
    for name, (_, write, reseed) in _random_sources().items():
        # A fresh lab gets an unpredictable state: one that forgets its seed must be found out.
        if name in session.random_states:
            write(session.random_states[name])
        else:
            reseed()
    sys.modules["__main__"] = session.module
    try:
        with np.printoptions(**session.print_options), np.errstate(**session.error_options):
            try:
                yield
            finally:
                session.print_options = dict(np.get_printoptions())
                session.error_options = dict(np.geterr())
    finally:
        sys.modules["__main__"] = outer_main
        for name, (read, write, _) in _random_sources().items():
            session.random_states[name] = read()
            if name in outer_states:
                write(outer_states[name])


def _as_python_would_warn() -> None:
    """Set the filters of a plain `python lab.py`: a reader's own warnings, not a library's."""
    warnings.simplefilter("default")
    for category in (
        DeprecationWarning,
        PendingDeprecationWarning,
        ImportWarning,
        ResourceWarning,
    ):
        warnings.simplefilter("ignore", category)
    warnings.filterwarnings("default", category=DeprecationWarning, module="__main__")


def _error_line(error: BaseException, file_name: str) -> int | None:
    """Find the last line of the lab itself that took part in an error."""
    if isinstance(error, SyntaxError) and error.filename == file_name:
        return error.lineno
    line, trace = None, error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == file_name:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _execute(session: _Session, code: str, file_name: str) -> Outcome:
    out, err = io.StringIO(), io.StringIO()
    error, line = None, None
    session.module.__dict__["__file__"] = file_name
    with (
        _inside(session),
        warnings.catch_warnings(record=True) as caught,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        _as_python_would_warn()
        try:
            exec(compile(code, file_name, "exec", dont_inherit=True), session.module.__dict__)
        except KeyboardInterrupt:
            raise
        except BaseException as raised:
            error = f"{type(raised).__name__}: {raised}"
            line = _error_line(raised, file_name)
    warned = tuple(f"{one.category.__name__}: {one.message}" for one in caught)
    return Outcome(out.getvalue(), err.getvalue(), warned, error, line)


class LabRunner:
    """Runs chains of fences and remembers them by their code, whatever page they stand on."""

    def __init__(self) -> None:
        """Start with nothing run."""
        self._outcomes: dict[tuple[str, ...], Outcome] = {}
        self._sessions: dict[tuple[str, ...], _Session] = {}
        self._left: dict[str, dict[str, Any]] = {}
        self.seconds = 0.0

    def run(self, chain: tuple[str, ...], file_name: str = "<lab>") -> Outcome:
        """Give what the last fence of a chain prints after the ones before it."""
        key = tuple(code.strip("\n") for code in chain)
        if key not in self._outcomes:
            self._outcomes[key] = self._run(key, file_name)
        return self._outcomes[key]

    def _run(self, key: tuple[str, ...], file_name: str) -> Outcome:
        earlier = key[:-1]
        if earlier and (failed := self.run(earlier, file_name)).error:
            return Outcome("", error=f"the fence it continues failed ({failed.error})")
        # A session serves one continuation only, since running changes it.
        session = self._sessions.pop(earlier, None) if earlier else _Session()
        if session is None:
            session = _Session()
            for code in earlier:
                _execute(session, code, file_name)
        started = time.perf_counter()
        outcome = _execute(session, key[-1], file_name)
        self.seconds += time.perf_counter() - started
        self._sessions[key] = session
        if not earlier:
            # A fence that continues this one would change it.
            self._left[key[0]] = dict(session.module.__dict__)
        return outcome

    def names_left(self, code: str, file_name: str = "<lab>") -> dict[str, Any]:
        """Give the names that a whole lab leaves behind; those Python itself set are left out."""
        self.run((code,), file_name)
        left = self._left[code.strip("\n")]
        return {name: value for name, value in left.items() if not name.startswith("__")}

    @property
    def count(self) -> int:
        """How many distinct chains have run."""
        return len(self._outcomes)


RUNNER = LabRunner()
