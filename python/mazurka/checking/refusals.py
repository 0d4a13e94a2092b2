"""Error messages for programs that the engine refuses: they reached something that Mazurka does not run.

A refusal names the construct, the place, and a cure that fits the construct.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mazurka.checking.execution import Graph, innermost, loop_position
from mazurka.checking.findings import graph_of
from mazurka.checking.objects import access_size, count
from mazurka.checking.outcome import LoopFacts
from mazurka.checking.refused.cxx import UNSUPPORTED_IN_CPP
from mazurka.checking.refused.functions import REFUSED
from mazurka.checking.refused.libc import REFUSED_OF_LIBC, UNSUPPORTED_CALLS
from mazurka.checking.sizes import MixedSizes, SizedAccess
from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.program import NO_POSITION, Op, Program, Rounds
from mazurka.program.flow.program import ProgramFlow
from mazurka.program.loop_notes import Obstacle

if TYPE_CHECKING:
    from mazurka._engine import Explored, RawFinding

_MESSAGES = {
    ErrorCode.UNKNOWN_FUNCTION: "the program reaches the function '{}', "
    "which it does not define and Mazurka does not know",
    ErrorCode.UNSUPPORTED: "the program reaches {}, which is not supported",
    ErrorCode.ENDLESS_LOOP: "a loop {}",
    ErrorCode.TOO_MANY_VALUES: "the program reaches {}",
}
_HINTS = {
    ErrorCode.UNKNOWN_FUNCTION: "also name the file that defines it, or one that defines a small "
    "model of it, or say what it returns: --stub {0}=zero, --stub {0}=nondet:LO..HI, or --stub {0}=skip",
    ErrorCode.UNSUPPORTED: "write this part differently; LIMITS.md says what is not supported",
    ErrorCode.TOO_MANY_VALUES: "narrow it with an assumption right after it, use "
    "__VERIFIER_nondet_range(low, high) of mazurka.h, or explore only some values: --nondet LO..HI",
    ErrorCode.MIXED_SIZE: "explore them byte by byte with --mixed-size auto, "
    "or access these bytes with one size of at most 8 everywhere",
    ErrorCode.ENDLESS_LOOP: "bound loops that access shared memory with --unroll N; "
    "a loop that waits for another thread can be written as __VERIFIER_assume(condition); "
    "--explain says why a bound is needed",
}
_CANCEL = "pthread_cancel"
_LOCK_HINT = (
    "bound loops that access shared memory with --unroll N; "
    "a loop that takes a lock can be written as one attempt that must succeed: "
    "__VERIFIER_assume(!atomic_flag_test_and_set(&lock)) or "
    "__VERIFIER_assume(atomic_compare_exchange_strong(...)); "
    "--explain says why a bound is needed"
)
_SEES_NOTHING_HINT = (
    "in some round the loop reads nothing that other threads write, so they cannot end it; "
    "--unroll N cuts it only if it accesses shared memory; --explain says what is known about all loops"
)
_ALONE_HINT = (
    "main has not created a thread yet, so no other thread can end this loop; "
    "--unroll cuts it only if it has no exit"
)
_BARRIER_HINT = (
    "Mazurka does not explore which of the threads meet; "
    "initialise the barrier with the number of threads that wait at it, "
    "or make all others wait until these have met"
)
_THREAD_LOCAL_HINT = "assign its values in the thread itself, or make it smaller for checking"
# What to do about something that is wrong with an atomic section, by how the engine's words begin.
_SECTION_HINTS = {
    "the end of an atomic section": "call __VERIFIER_atomic_begin before it on every path that leads there",
    "the end of a thread": "call __VERIFIER_atomic_end on every path before the thread ends",
    "": "do this before or after the section",
}
_ASSEMBLY_HINT = (
    "write it with stdatomic.h or the __atomic builtins, or hide it behind '#ifndef __MAZURKA__'; "
    "docs/c.md lists the instructions that are known"
)
_STREAM = re.compile(r"'std::(ios_base\b|basic_ios\b|basic_\w*stream|operator<<|w?c(in|out|err|log)')")
_FORMATTING_STREAM = "the address of 'std::ios_base'"  # what the constructors of these streams need
_FORMATTING_STREAMS = (
    "std::ostringstream and other streams of strings or files are not supported",
    "make strings with std::to_string, snprintf or std::format",
)
_STREAM_HINT = "std::cout, std::cerr and std::clog print in the default format only: use printf for the rest"
_LONG_DOUBLE_HINT = "use double, or make it one where 64 bits are precise enough: -- -mlong-double-64"
# What the compilers make of the pragmas, and the functions of omp.h.
_OPENMP = re.compile(r"__kmpc_|GOMP_|omp_(?:get|set|in|init|destroy|unset|test|is|capture|pause|display)_")
_OPENMP_HINT = (
    "write this part with threads (pthread_create, std::thread), "
    "or leave out -fopenmp to check the program without it"
)
_IN_IR = "' in LLVM IR"
_CPP_IR_HINT = (
    "check the .cpp file instead: it is compiled with headers that fit what Mazurka knows of libc++"
)
_INPUT_HINT = "write __VERIFIER_nondet_int() of mazurka.h for a value that comes from outside"
_STUB_HINT = "give it a value that fits: --stub NAME=zero or --stub NAME=nondet:LO..HI"
_SIZE_HINT = "make the object smaller for checking, or allocate fewer objects"


_GAPS_HINT = "use a model whose ppo is po, such as rc11, tso or sc"
_STUCK_HINT = (
    "the causal order that was derived from this model is not enough for this program: "
    "state the model in a .kat file, with a ppo"
)
_SIZES_HINT = (
    "use a model that says what several sizes mean: one whose ppo is po, such as rc11, tso or sc, "
    "or one that names si, such as armv8, without --races and --equivalence rf"
)
_MIXED_READS_FROM_HINT = (
    "explore them byte by byte with --equivalence co, "
    "or access these bytes with one size of at most 8 everywhere"
)


class RefusedError(SourceError):
    """A program reached something that the engine does not run; it carries what ``--explain`` shows."""

    program: Program
    keeps_rounds: str | None  # why rounds that changed nothing cannot be left out under the model
    loop_facts: LoopFacts


def refusal_of(
    program: Program, result: Explored, keeps_rounds: str | None, gaps: bool, equivalence: str
) -> RefusedError:
    """The error for a program that reached something the engine will not run.

    ``gaps`` says that the model has a ppo of its own.
    """
    finding = result.finding
    assert finding is not None, "a refusal says what is refused"
    error = _refusal(program, finding, graph_of(result))
    error.program, error.keeps_rounds, error.loop_facts = program, keeps_rounds, LoopFacts.of(result)
    if error.code == ErrorCode.MIXED_SIZE and gaps:
        error.hint = _GAPS_HINT if _is_section(program, finding) else _SIZES_HINT
    elif error.code == ErrorCode.MIXED_SIZE and equivalence == "rf":
        error.hint = _MIXED_READS_FROM_HINT
    return error


def sizes_met(program: Program, result: Explored) -> MixedSizes | None:
    """The two accesses of different sizes that an exploration was refused for; None if it was not for any."""
    finding, graph = result.finding, graph_of(result)
    if finding is None or finding.kind != ErrorCode.MIXED_SIZE:
        return None
    if _is_section(program, finding):
        return MixedSizes(sections=True)
    places = [(access_size(program, finding.function, finding.pc), innermost(program, finding.stack))]
    if graph is not None and finding.other is not None:
        other = graph[finding.other]
        places.append((other.size, innermost(program, other.stack)))
    return MixedSizes(
        tuple(SizedAccess(size, *((at.file, at.line) if at else ("", 0))) for size, at in places)
    )


def _refusal(program: Program, finding: RawFinding, graph: Graph | None) -> RefusedError:
    # Only the chosen model does not support dependencies; others do.
    dependency = finding.kind == "dependency"
    stuck = finding.kind == "stuck"
    code = ErrorCode.UNSUPPORTED if dependency or stuck else ErrorCode(finding.kind)
    where = innermost(program, finding.stack)
    message, hint = _words(code, finding.message)
    if dependency:
        message = f"the program has {finding.message}"
        hint = _GAPS_HINT
    if stuck:
        message = "this event cannot be added to some partial executions, so others may be missed"
        hint = _STUCK_HINT
    if code == ErrorCode.MIXED_SIZE:
        message = _mixed_sizes(program, finding, graph)
    if code == ErrorCode.ENDLESS_LOOP and graph is not None and not any(t.events for t in graph.threads):
        hint = _ALONE_HINT
    if finding.loop is not None:
        where = loop_position(program, finding.loop) or where
        message = f"the loop in {program.loops[finding.loop].function} {finding.message}"
        hint = _cancelled_hint(program) or _loop_hint(program, finding.loop) or hint
    if finding.recursion is not None:
        function = program.functions[finding.recursion]
        where = program.positions[function.position] if function.position != NO_POSITION else where
        message = f"the recursion of {function.name} {finding.message}"
        hint = "bound the recursion with --unroll N"
    place = Place(where.file, where.line, where.column) if where else None
    return RefusedError(code, message, place=place, hint=hint)


def memory_warning(program: Program, limit: int | None, finding: RawFinding | None) -> str:
    """The warning when a memory limit, or the system's (None), was reached; ``finding`` is what had grown."""
    message = "the system has no more memory for this process"
    if limit is not None:
        message = f"the memory limit of {limit / (1 << 20):.0f} MiB was reached"
    if finding is None:
        return message
    where, what, cure = innermost(program, finding.stack), "one long execution", "bound it with --unroll N"
    if finding.loop is not None:
        where = loop_position(program, finding.loop) or where
        what = f"the loop in {program.loops[finding.loop].function}"
        if _is_constant(program, finding.loop):
            cure = "reduce its number of iterations"  # --unroll does not cut it
    elif finding.recursion is not None:
        what = f"the recursion of {program.functions[finding.recursion].name}"
    place = f" at {where.file}:{where.line}" if where else ""
    return f"{message}; most of it went to {what}{place}: {cure}"


def _is_constant(program: Program, loop: int) -> bool:
    """Whether a loop has a constant number of iterations."""
    instructions = (i for function in program.functions for i in function.code)
    return any(i.op == Op.LOOP and i.a == loop and i.x == Rounds.CONSTANT for i in instructions)


def _loop_hint(program: Program, loop: int) -> str | None:
    """A hint that fits what a loop does."""
    if _modifies(program, loop):
        return _LOCK_HINT
    hindrance = next((note.hindrance for note in program.notes if note.loop == loop), None)
    sees_nothing = hindrance is not None and hindrance.obstacle is Obstacle.READS_NOTHING
    return _SEES_NOTHING_HINT if sees_nothing else None


def _cancelled_hint(program: Program) -> str | None:
    """What to do about a loop of a program that cancels threads, which may be what should end it."""
    cancels = any(
        instr.op == Op.UNKNOWN and program.strings[instr.a] == _CANCEL
        for function in program.functions
        for instr in function.code
    )
    reason, instead = REFUSED[_CANCEL]
    return f"the program calls {_CANCEL}, but {reason}: {instead}" if cancels else None


def _modifies(program: Program, loop: int) -> bool:
    """Whether a loop contains (or calls) a read-modify-write, as loops that take a lock do."""
    waiting = [instr for flow in ProgramFlow(program).functions() for instr in flow.instructions_of(loop)]
    called: set[int] = set()
    while waiting:
        instr = waiting.pop()
        if instr.op in (Op.RMW, Op.CAS, Op.RMW_PAIR, Op.CAS_PAIR):
            return True
        if instr.op == Op.CALL and instr.a not in called:
            called.add(instr.a)
            waiting += program.functions[instr.a].code
    return False


def _words(code: ErrorCode, subject: str) -> tuple[str, str | None]:
    """Message and hint; ``subject`` is what the engine (or the front-end) calls the thing."""
    if code == ErrorCode.UNKNOWN_FUNCTION and _OPENMP.match(subject):
        return f"the program reaches '{subject}', but OpenMP is not supported", _OPENMP_HINT
    if code == ErrorCode.UNSUPPORTED and subject.startswith("'std::") and subject.endswith(_IN_IR):
        return _MESSAGES[code].format(subject), _CPP_IR_HINT
    if code == ErrorCode.UNKNOWN_FUNCTION and subject in (*UNSUPPORTED_CALLS, *UNSUPPORTED_IN_CPP):
        reason, instead = (UNSUPPORTED_CALLS | UNSUPPORTED_IN_CPP)[subject]
        return f"the program reaches {reason}, which is not supported", instead
    if code == ErrorCode.UNKNOWN_FUNCTION and subject in (*REFUSED, *REFUSED_OF_LIBC):
        reason, instead = (REFUSED | REFUSED_OF_LIBC)[subject]
        return f"the program reaches '{subject}': {reason}", instead
    if code == ErrorCode.UNSUPPORTED and "thread-local variable" in subject:
        return _MESSAGES[code].format(subject), _THREAD_LOCAL_HINT
    if code == ErrorCode.UNSUPPORTED and "atomic section" in subject:
        hint = next(hint for start, hint in _SECTION_HINTS.items() if subject.startswith(start))
        return _MESSAGES[code].format(subject), hint
    if code == ErrorCode.UNSUPPORTED and subject.startswith("a barrier at which"):
        return _MESSAGES[code].format(subject), _BARRIER_HINT
    if code == ErrorCode.UNSUPPORTED and subject.startswith("inline assembly"):
        return _MESSAGES[code].format(subject), _ASSEMBLY_HINT
    if code == ErrorCode.UNSUPPORTED and "'long double'" in subject:
        return _MESSAGES[code].format(subject), _LONG_DOUBLE_HINT
    if code == ErrorCode.UNSUPPORTED and subject == _FORMATTING_STREAM:
        return _FORMATTING_STREAMS
    if code == ErrorCode.UNSUPPORTED and _STREAM.search(subject):
        return _MESSAGES[code].format(subject), _INPUT_HINT if "istream" in subject else _STREAM_HINT
    if code == ErrorCode.UNSUPPORTED and subject.startswith("an allocation of"):
        return _MESSAGES[code].format(subject), _SIZE_HINT
    if code == ErrorCode.UNSUPPORTED and "--stub" in subject:
        return _MESSAGES[code].format(subject), _STUB_HINT
    cure = _HINTS.get(code)
    return _MESSAGES.get(code, "{}").format(subject), cure.format(subject) if cure else None


def _is_section(program: Program, finding: RawFinding) -> bool:
    """Whether an exploration was refused for an atomic section, not for accesses of different sizes."""
    return program.functions[finding.function].code[finding.pc].op == Op.BEGIN


def _mixed_sizes(program: Program, finding: RawFinding, graph: Graph | None) -> str:
    """Both accesses, if the graph has the other one; what main did before the threads is not in the graph."""
    if _is_section(program, finding):
        return "an atomic section accesses several variables at once, which is explored byte by byte only"
    message = "shared bytes are accessed with different sizes"
    if finding.other is None and access_size(program, finding.function, finding.pc) == 16:
        return "shared bytes are accessed 16 at once"
    if graph is None or finding.other is None:
        return message if not finding.message else f"{message}: {finding.message}"
    other = graph[finding.other[0], finding.other[1]]
    here = count(access_size(program, finding.function, finding.pc))
    where = innermost(program, other.stack)
    name = program.functions[other.function].name
    there = f"at {where.file}:{where.line}" if where else f"in {name}"
    return f"{message}: {here} here, {count(other.size)} {there}"
