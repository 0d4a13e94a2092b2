"""Loads the profile of the run (``profiles``), makes the package ``benchmarks`` at the root of the repository
importable, and sums up the claims about models that do not exist yet."""

from __future__ import annotations

import signal
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import settings
from profiles import PROFILE

settings.load_profile(PROFILE)
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
# Signals may be ignored where the tests are run (in the background), and processes that tests start inherit
# that.
if threading.current_thread() is threading.main_thread():
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, handler)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    from test_programs import CLAIMS, RUNNABLE

    waiting = Counter(claim.model for claim in CLAIMS) - Counter(claim.model for claim in RUNNABLE)
    if waiting:
        counts = ", ".join(f"{model} {count}" for model, count in sorted(waiting.items()))
        terminalreporter.write_line(f"claims for models to come, not run: {counts}")
