"""Planning is quick enough that nobody waits for it, also where no plan is kept from before."""

from __future__ import annotations

import subprocess
import sys

# In a process of its own, so that nothing is remembered. The bound is several times what it takes.
PLAN_ALL = """
import time
from mazurka.kat.load import MODELS, load_model
from mazurka.requirements import plan_model

started = time.process_time()
paths = [path for path in MODELS.glob("*.kat") if not path.stem.endswith("-base")]
assert len(paths) >= 7
for path in paths:
    plan_model(load_model(path))
print(time.process_time() - started)
"""


def test_all_shipped_models_are_planned_within_a_second() -> None:
    done = subprocess.run([sys.executable, "-c", PLAN_ALL], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 1
