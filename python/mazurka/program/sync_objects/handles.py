"""What became of a thread: the word is 0 while it may be joined or detached, then 1 (detached) or 2 (joined).

Only programs that detach threads have these words, one for each thread. In others it is enough that no graph
has two joins of a thread.
"""

from __future__ import annotations

from mazurka.program.kinds import ViolationKind
from mazurka.program.opcodes import Mode
from mazurka.program.sync import OLD, Case, Operation, SyncObject, becomes, misuse

HANDLE = SyncObject(
    "thread",
    size=4,
    kind=ViolationKind.THREAD.value,
    title="a thread is joined or detached wrongly",
    is_hidden=True,
)
MOST_THREADS = 4096
_DETACHED, _JOINED = 1, 2


def _changes(what: str, *, to: int) -> tuple[Case, ...]:
    return (
        misuse(f"{what} of a thread that was detached", when=OLD.equals(_DETACHED)),
        misuse(f"{what} of a thread that was joined already", when=OLD.equals(_JOINED)),
        becomes(to),
    )


def _operation(name: str, to: int) -> Operation:
    return Operation(HANDLE, name, reads=Mode.RLX, writes=Mode.RLX, cases=_changes(name, to=to))


THREAD_DETACH = _operation("detach", _DETACHED)
THREAD_JOIN = _operation("join", _JOINED)
