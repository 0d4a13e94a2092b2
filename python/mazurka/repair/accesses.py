"""The atomic accesses of a compiled program, and why the orderings of some cannot be changed.

Sites are found in the text, so an ordering that is not written in a call or macro is not among them: a
variable holds it, or the access is no call. The compiled program has the orderings of all accesses.

I1: an execution in which all atomic accesses are ``seq_cst`` is one of every program with stronger orderings.
I2: library code that was inlined, such as ``std::shared_ptr`` counting its owners, is in the user's lines,
too; the places that it accesses have no names there, other than in C.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mazurka.program import Mode, Op
from mazurka.repair.ownfiles import shown

if TYPE_CHECKING:
    from mazurka.checking.execution import Graph
    from mazurka.program import Instr, Program
    from mazurka.repair.variants import Sources

_EXCHANGES = frozenset((Op.CAS, Op.CAS_PAIR))
_ACCESSES = _EXCHANGES | {Op.LOAD, Op.STORE, Op.RMW, Op.LOAD_PAIR, Op.STORE_PAIR, Op.RMW_PAIR}
_CALL = re.compile(r"(__)?atomic_\w+|load|store|exchange|fetch_\w+|compare_exchange_\w+|test_and_set|clear")
_GUARD = ("guard of ", "_ZGV")  # of a static variable of a C++ function, and if its name is not known
_SHOWN = 2  # places in a sentence


class Access(NamedTuple):
    """An access of an atomic object, and its orderings; a compare-exchange has two."""

    file: str
    line: int
    modes: tuple[Mode, ...]
    is_call: bool  # in a line with a call of an atomic operation

    @property
    def is_strongest(self) -> bool:
        """Whether it cannot order more."""
        return set(self.modes) == {Mode.SC}

    @property
    def is_weakest(self) -> bool:
        """Whether it cannot order less."""
        return set(self.modes) == {Mode.RLX}


Own = Callable[[str, int], tuple[str, int]]  # where a place of the program is in the user's files


def accesses_of(program: Program, sources: Sources, own: Own) -> list[Access]:
    """All in the user's own files, except those whose ordering is chosen while the program runs."""
    found = _found(
        program, (instr for function in program.functions for instr in function.code), sources, own
    )
    weakest = {place for place, access in found if access.is_weakest}
    return [access for place, access in found if access.is_weakest or place not in weakest]


def executed(program: Program, graph: Graph, sources: Sources, own: Own) -> list[Access]:
    """Those of an execution, each once."""
    events = (graph[ref] for ref in graph.refs())
    instrs = (program.functions[event.function].code[event.pc] for event in events)
    return [access for _, access in _found(program, instrs, sources, own)]


def _found(
    program: Program, instrs: Iterable[Instr], sources: Sources, own: Own
) -> list[tuple[tuple[str, int, int], Access]]:
    found = set()
    for instr in instrs:
        if instr.op not in _ACCESSES or instr.position >= len(program.positions):
            continue
        place = program.positions[instr.position]
        file, line = own(place.file, place.line)
        modes = _modes(instr)
        is_guard = any(name in instr.expr for name in _GUARD)
        is_library = is_guard or not (instr.expr or file.endswith((".c", ".h")))  # I2
        if file in sources.texts and modes[0] is not Mode.NA and not is_library:
            access = Access(file, line, modes, _is_call(file, line, sources))
            found.add(((file, line, place.column), access))
    return sorted(found)


def _modes(instr: Instr) -> tuple[Mode, ...]:
    """As the source says them, if it was compiled for a machine."""
    if instr.source is not None and instr.source.mode is not None:
        success, failure = instr.source.mode, instr.source.failure
    else:
        success, failure = instr.mode, Mode(instr.x) if instr.op in _EXCHANGES else Mode.NA
    return (success, failure) if instr.op in _EXCHANGES else (success,)


def unchangeable(found: Sequence[Access]) -> str:
    """Why these accesses have other orderings than the search wanted, in words; nothing if there are none."""
    if not found:
        return ""
    places = list(dict.fromkeys(f"{shown(access.file)}:{access.line}" for access in found))
    listed = ", ".join([*places[:_SHOWN], "…"] if len(places) > _SHOWN else places)
    what = f"the orderings of {len(found)} accesses" if len(found) > 1 else "the ordering of one access"
    held = "a variable or a number holds them" if len(found) > 1 else "a variable or a number holds it"
    called = [access.is_call for access in found]
    if not all(called):
        bare = "they are not written as calls" if len(found) > 1 else "it is not written as a call"
        held = f"{held}, or {bare}" if any(called) else bare
    return f"{what} ({listed}) cannot be changed, because {held}"


def _is_call(file: str, line: int, sources: Sources) -> bool:
    """Whether a line has a call of an atomic operation, or a macro that has one."""
    words, uses = set(sources.uses[file].lines.get(line, ())), sources.uses.values()
    known = {macro: body for each in uses for macro, body in each.macros.items()}
    waiting = list(words & known.keys())
    while waiting:
        more = known[waiting.pop()] - words
        words |= more
        waiting += more & known.keys()
    return any(_CALL.fullmatch(word) for word in words)
