"""What is done once: ``pthread_once`` and ``call_once``.

The word is 0 at first, 1 while a thread runs the function, and 2 when the function has returned.
"""

from __future__ import annotations

from mazurka.program.opcodes import Mode
from mazurka.program.sync import OLD, Operation, SyncObject, becomes, misuse, stays, waits

ONCE = SyncObject("once", size=4, kind="once", title="a once_flag is misused")
_FRESH, _RUNNING, _OVER = 0, 1, 2

ONCE_BEGIN = Operation(
    ONCE,
    "begin",
    reads=Mode.ACQ,
    writes=Mode.RLX,
    cases=(
        becomes(_RUNNING, when=OLD.equals(_FRESH), result=1),
        stays(0, when=OLD.equals(_OVER)),
        waits(when=OLD.equals(_RUNNING)),
        misuse("use of a pthread_once_t or once_flag that was not initialised"),
    ),
    unchanged="done already",
    done="begun",
    stuck="this thread waits for the end of a function that is called once, and does not return",
    stuck_alone="this thread waits for the end of a function that it is itself running",
)
ONCE_END = Operation(ONCE, "end", reads=None, writes=Mode.REL, cases=(becomes(_OVER),))
