"""Explores one row with whichever ``mazurka`` is found first on the path, and prints what it found as JSON.

Run as a script by ``compare``, which chooses the build by ``PYTHONPATH``. It uses only what is public since
the first version, so that old builds run it too. Arguments: the C file, the model, the equivalence, and what
the compiler is told.

A time is the best of a few repetitions, as in ``runner``: the first exploration of a process also loads the
engine's code, page by page, and that takes as long as the shortest rows do.
"""

from __future__ import annotations

import json
import sys
from time import process_time
from typing import Any

import mazurka
from mazurka import _engine

REPETITIONS = 3
LONG_RUN = 0.1  # seconds; an exploration that takes as long is not repeated


def main() -> None:
    """What this build cannot run ends with the reason as the last line of standard error."""
    path, model, equivalence, *cflags = sys.argv[1:]
    other: dict[str, Any] = {"equivalence": equivalence} if equivalence != "co" else {}
    explore, cpu = _engine.explore, []

    def timed(*arguments: Any, **options: Any) -> Any:
        if "workers" in options:  # builds before there were workers do not pass it
            options["workers"] = 1
        times: list[float] = []
        while len(times) < REPETITIONS and sum(times) < LONG_RUN:
            start = process_time()
            result = explore(*arguments, **options)
            times.append(process_time() - start)
        cpu.append(min(times))
        return result

    _engine.explore = timed
    try:
        outcome = mazurka.check(path, model=model, cflags=cflags, **other)
    except mazurka.MazurkaError as error:
        raise SystemExit(str(error).splitlines()[0]) from error
    found = {"complete": outcome.complete, "blocked": outcome.blocked, "seconds": sum(cpu)}
    status = {"verified": "finished"}.get(outcome.verdict, outcome.verdict)
    print(json.dumps({"package": mazurka.__file__, "status": status, **found}))


if __name__ == "__main__":
    main()
