"""Planning stays little work, also where no plan is kept from before: counted in calls, not in seconds.

What it takes in seconds is a limit of the benchmarks.
"""

from __future__ import annotations

import subprocess
import sys

# In a process of its own, so that nothing is remembered.
PLAN_ALL = """
import sys
from mazurka.kat.language.load import MODELS, load_model
from mazurka.soundness.requirements import plan_model

calls = 0

def count(frame, event, argument):
    global calls
    calls += event == "call"

paths = [path for path in MODELS.glob("*.kat") if not path.stem.endswith("-base")]
assert len(paths) >= 7
sys.setprofile(count)
for path in paths:
    plan_model(load_model(path))
sys.setprofile(None)
print(calls // len(paths))
"""
MOST_CALLS = 300_000  # a model, on average: three times what it takes


def test_all_shipped_models_are_planned_with_little_work() -> None:
    done = subprocess.run([sys.executable, "-c", PLAN_ALL], capture_output=True, text=True, check=True)
    assert int(done.stdout) < MOST_CALLS
