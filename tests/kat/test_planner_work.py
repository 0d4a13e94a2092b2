"""Planning takes little work even without a cached plan: counted in calls, not in seconds.

What it takes in seconds is a limit of the benchmarks.
"""

from __future__ import annotations

import subprocess
import sys

# In a process of its own, so that nothing is remembered.
PLAN_ALL = """
import sys
from mazurka.kat.language.load import named_model
from mazurka.models.registry import runnable_models
from mazurka.soundness.requirements import plan_model

calls = 0
names = runnable_models()

def count(frame, event, argument):
    global calls
    calls += event == "call"

assert len(names) >= 7
sys.setprofile(count)
for name in names:
    plan_model(named_model(name))
sys.setprofile(None)
print(calls // len(names))
"""
MOST_CALLS = 300_000  # a model, on average: three times what it takes


def test_all_shipped_models_are_planned_with_little_work() -> None:
    done = subprocess.run([sys.executable, "-c", PLAN_ALL], capture_output=True, text=True, check=True)
    assert int(done.stdout) < MOST_CALLS
