"""Why a litmus test cannot end in some way: the axiom that forbids it, and the cycle that the axiom excludes.

``candidates`` finds an execution that ends so.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from mazurka import deadline
from mazurka.errors import (
    ErrorCode,
    InternalError,
    MazurkaError,
    OutOfTime,
    Place,
    SourceError,
    UsageError,
)
from mazurka.files import read_regular
from mazurka.kat.meaning.mapping import apply_mapping
from mazurka.litmus import LitmusTest, read_litmus
from mazurka.litmus.meaning.conditions import And, Equals, Proposition
from mazurka.litmus.meaning.test import Language
from mazurka.litmus.meaning.values import Location, RegisterOf
from mazurka.litmus.reader import parse_litmus_file
from mazurka.litmus.running.layout import Layout
from mazurka.litmus.running.lowering import to_program
from mazurka.litmus.running.run import model_of, run_test
from mazurka.litmus.running.states import States
from mazurka.reference.graph import Graph
from mazurka.reference.running.labels import Kind, ReferenceUnsupported
from mazurka.why_not.candidates import IMPOSSIBLE, LastBytes, closest
from mazurka.why_not.litmus_telling import LitmusTeller

_ENDLESS = "--why-not has no bound for loops: write the rounds that matter one below the other"


def why_not(
    path: str,
    outcome: str,
    *,
    model: str | None = None,
    unchecked: bool = False,
    time_limit: float | None = None,
) -> str:
    """Says which axiom forbids that the test in a file ends as ``outcome`` says, or shows that it may."""
    end = None if time_limit is None else time.monotonic() + time_limit
    test = _asked(path, outcome)
    chosen = model_of(test, model, unchecked)
    stated = chosen.source.model
    layout = Layout(test)
    program = to_program(test, layout, "" if chosen.own else chosen.name)
    if chosen.mapping and test.language is Language.C11:
        program = apply_mapping(program, chosen.mapping)
    is_allowed = _is_allowed(test, model=model, unchecked_model=unchecked, time_limit=time_limit)
    states = States(test, layout)

    def ends_so(last: LastBytes) -> bool:
        return states.holds(test.condition.proposition, states.of_bytes(last))

    left = None if end is None else max(end - time.monotonic(), 1e-3)
    try:
        with deadline.within(left, "the time limit passed"):
            found = closest(program, stated, ends_so, can_end_so(test, states), is_allowed=is_allowed)
    except (ReferenceUnsupported, OutOfTime) as error:
        message = f"why the outcome is {'allowed' if is_allowed else 'forbidden'} cannot be shown: {error}"
        is_late = isinstance(error, OutOfTime)
        hint = "use a larger --time-limit" if is_late else "without --why-not, the test can be run"
        code = ErrorCode.TOO_LARGE if is_late else ErrorCode.UNSUPPORTED
        raise SourceError(code, message, place=Place(path, 1, 1), hint=hint) from error
    head = f"{test.name} under {chosen.name}: {outcome}"
    if found is None:
        if is_allowed:
            raise InternalError("the engine allows an outcome for which the reference has no execution")
        return f"{head}\n  {IMPOSSIBLE}\n"
    teller = LitmusTeller(test, layout, program, found)
    if is_allowed:
        return "\n".join([f"{head}\n  allowed, for example by this execution:", *teller.execution(), ""])
    lines = teller.forbidden(found, stated)
    return "\n".join([f"{head}\n  forbidden by {found.reason()}", *lines, ""])


def _is_allowed(test: LitmusTest, **options: Any) -> bool:
    try:
        return run_test(test, **options).positive > 0
    except SourceError as error:
        if error.code is ErrorCode.ENDLESS_LOOP:
            error.hint = _ENDLESS
        raise


def _asked(path: str, outcome: str) -> LitmusTest:
    """The test with the outcome as its condition, in the syntax of the file or in that of C."""
    test = read_litmus(path)
    lines = read_regular(path).decode("utf-8-sig").splitlines(keepends=True)
    at = test.condition.place
    before = [*lines[: at.line - 1], lines[at.line - 1][: at.column - 1]] if at.line <= len(lines) else lines
    words = outcome.replace("&&", "/\\").replace("||", "\\/").replace("==", "=")
    for name, thread in _registers(test).items():
        words = re.sub(rf"(?<![\w:]){re.escape(name)}(?!\w)", f"{thread}:{name}", words)
    try:
        asked = parse_litmus_file(f"{''.join(before)}\nexists ({words})\n", path)
    except MazurkaError as error:
        hint = "write it as in the condition of a test, such as '0:r1=1 /\\ 1:r2=0', or 'x==2 && 1:r2==0'"
        message = f"the outcome '{outcome}' cannot be read: {error.message}"
        raise UsageError(ErrorCode.BAD_VALUE, message, hint=hint) from error
    known = sorted(map(str, Layout(test).objects))
    unknown = next((name for name in map(str, Layout(asked).objects) if name not in known), None)
    if unknown is not None:
        message = f"the test has no location '{unknown}'"
        hint = (
            f"its locations are {', '.join(known)}; a register is named with its thread, such as 0:{unknown}"
        )
        raise UsageError(ErrorCode.BAD_VALUE, message, hint=hint)
    return asked


def _registers(test: LitmusTest) -> dict[str, int]:
    """Registers that the test's own condition names in one thread only, so that their names are enough."""
    found: dict[str, set[int]] = {}
    for one in test.observed:
        if isinstance(one, RegisterOf):
            found.setdefault(str(one).partition(":")[2], set()).add(one.thread)
    return {name: threads.pop() for name, threads in found.items() if len(threads) == 1}


def can_end_so(test: LitmusTest, states: States) -> Callable[[Graph], bool]:
    """Whether the registers that threads have left agree with what a conjunction says about them."""
    wanted: dict[int, list[Equals]] = {}
    for part in _conjuncts(test.condition.proposition):
        match part:
            case Equals(RegisterOf() as register, right) if not isinstance(right, RegisterOf | Location):
                wanted.setdefault(states.layout.cells[register], []).append(part)

    def agrees(graph: Graph) -> bool:
        left = (w for w in graph.labels.values() if w.kind is Kind.WRITE and w.address in wanted)
        known = ((w.value, part) for w in left if not w.awaits for part in wanted[w.address])
        return all(states.holds(part, (value,) * len(states.observed)) for value, part in known)

    return agrees


def _conjuncts(proposition: Proposition) -> list[Proposition]:
    if isinstance(proposition, And):
        return [one for part in proposition.parts for one in _conjuncts(part)]
    return [proposition]
