"""Explores the program on standard input and prints this process's peak memory, in KiB, as JSON.

Run as a script by ``runner.peak_memory``. It loads the native module alone, without the package around it,
so that neither the front-end nor LLVM is in the figure. ``VmHWM`` is preferred to ``getrusage``, whose
maximum on Linux includes the process that started this one.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import resource
import sys
from pathlib import Path
from types import ModuleType


def load_engine() -> ModuleType:
    """The native module by itself."""
    package = importlib.util.find_spec("mazurka")
    if package is None or package.submodule_search_locations is None:
        raise SystemExit("mazurka is not installed")
    spec = importlib.machinery.PathFinder.find_spec("_engine", list(package.submodule_search_locations))
    if spec is None or spec.loader is None:
        raise SystemExit("mazurka's engine is not built")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def peak() -> int:
    """The largest resident size of this process so far, in KiB."""
    status = Path("/proc/self/status")
    if status.exists():
        return next(
            int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")
        )
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    """Standard input holds the plan's length (4 bytes), the plan and the program. Argument: nothing or rf."""
    start = peak()
    data = sys.stdin.buffer.read()
    size = int.from_bytes(data[:4], "little")
    engine = load_engine()
    plan, program = data[4 : 4 + size], data[4 + size :]
    result = engine.explore(program, plan, reads_from="rf" in sys.argv, workers=1)
    found = {"status": result.status, "complete": result.complete, "blocked": result.blocked}
    print(json.dumps({**found, "start": start, "peak": peak()}))


if __name__ == "__main__":
    main()
