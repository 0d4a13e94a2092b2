"""Loads the profile of the run (``profiles``), and makes the package ``benchmarks`` at the root of the
repository importable."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path

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
