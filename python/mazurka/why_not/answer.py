"""Why a litmus test cannot end in some way: the axiom that forbids it, and the cycle that the axiom excludes.

``candidates`` finds an execution that ends this way.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

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
from mazurka.litmus.meaning.operations import Register
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

_BOUNDED = "executions beyond a loop bound are left out (--unroll)"
_QUANTIFIED = re.compile(r"^\s*(?:(?:~|not\b)\s*)?exists\b")  # as in the last line of a test


class Answer(NamedTuple):
    """Whether a test may end as asked, and if not, why."""

    test: LitmusTest
    model: str
    condition: str
    verdict: str  # allowed forbidden
    reason: str  # a line
    is_bounded: bool  # no execution ends this way, but some were left out
    details: tuple[str, ...] = ()  # the cycle and its execution as lines
    axioms: tuple[str, ...] = ()  # those that the closest execution breaks
    cycle: tuple[Mapping[str, Any], ...] = ()  # what the first of these excludes
    execution: tuple[Mapping[str, Any], ...] = ()  # one that ends this way
    limit: str = ""  # why the search for a reason ended early

    @property
    def text(self) -> str:
        """The answer for people."""
        head = f"{self.test.name} under {self.model}: {self.condition}"
        bound = [f"  {_BOUNDED}"] if self.is_bounded else []
        return "\n".join([head, f"  {self.reason}", *self.details, *bound, ""])

    def as_object(self) -> dict[str, object]:
        """The answer for programs."""
        return {
            "name": self.test.name,
            "file": self.test.file,
            "language": self.test.language.value,
            "model": self.model,
            "condition": self.condition,
            "verdict": self.verdict,
            "reason": self.reason.removesuffix(":"),
            "axioms": list(self.axioms),
            "cycle": list(self.cycle),
            "execution": list(self.execution),
            "limit": self.limit or None,
            "bounded": self.is_bounded,
        }


def why_not(
    path: str,
    outcome: str,
    *,
    model: str | None = None,
    unroll: int | None = None,
    time_limit: float | None = None,
    unchecked_model: bool = False,
) -> Answer:
    """Which axiom forbids the ``outcome`` of the test in a file, or an execution that ends this way."""
    end = None if time_limit is None else time.monotonic() + time_limit
    test = _asked(path, outcome)
    chosen = model_of(test, model, unchecked_model)
    layout = Layout(test)
    program = to_program(test, layout, "" if chosen.own else chosen.name)
    if chosen.mapping and test.language is Language.C11:
        program = apply_mapping(program, chosen.mapping)
    verdict = run_test(
        test, model=model, unroll=unroll, time_limit=time_limit, unchecked_model=unchecked_model
    )
    is_allowed = verdict.positive > 0
    states = States(test, layout)

    def ends_so(last: LastBytes) -> bool:
        return states.holds(test.condition.proposition, states.of_bytes(last))

    asked = program, chosen.source.model, ends_so, can_end_so(test, states)
    try:
        with deadline.within(
            None if end is None else max(end - time.monotonic(), 1e-3), "the time limit passed"
        ):
            found = closest(*asked, is_allowed=is_allowed, unroll=unroll)
    except (ReferenceUnsupported, OutOfTime) as error:
        raise _not_shown(path, error, is_allowed=is_allowed, is_bounded=unroll is not None) from error
    known = test, chosen.name, outcome, "allowed" if is_allowed else "forbidden"
    is_cut = verdict.is_bounded and not is_allowed
    if found is None:
        if is_allowed:
            raise InternalError("the engine allows an outcome for which the reference has no execution")
        return Answer(*known, IMPOSSIBLE, is_cut)
    teller = LitmusTeller(test, layout, program, found)
    execution = tuple(teller.events())
    if is_allowed:
        details = tuple(teller.execution())
        return Answer(*known, "allowed, for example by this execution:", is_cut, details, execution=execution)
    return Answer(
        *known,
        f"forbidden by {found.reason()}:",
        is_cut,
        tuple(teller.forbidden(found, chosen.source.model)),
        tuple(axiom.name for axiom in found.broken),
        tuple(teller.steps(found.cycle(chosen.source.model))),
        execution,
        found.limit,
    )


def _not_shown(
    path: str, error: MazurkaError | Exception, *, is_allowed: bool, is_bounded: bool
) -> SourceError:
    """The error about a test whose executions are not all looked at."""
    message = f"cannot show why the outcome is {'allowed' if is_allowed else 'forbidden'}: {error}"
    if isinstance(error, OutOfTime):
        hint, code = "raise --time-limit", ErrorCode.TOO_LARGE
    else:
        bound = "lower the bound" if is_bounded else "if the test has loops, bound them with --unroll N"
        hint, code = f"{bound}; the test can be run without --why-not", ErrorCode.UNSUPPORTED
    return SourceError(code, message, place=Place(path, 1, 1), hint=hint)


def _asked(path: str, outcome: str) -> LitmusTest:
    """The test with the outcome as its condition, in the syntax of the file or in that of C.

    A condition of a test is taken for what it says there is, or is not.
    """
    test = read_litmus(path)
    lines = read_regular(path).decode("utf-8-sig").splitlines(keepends=True)
    at = test.condition.place
    before = [*lines[: at.line - 1], lines[at.line - 1][: at.column - 1]] if at.line <= len(lines) else lines
    proposition = _QUANTIFIED.sub("", outcome)
    words = proposition.replace("&&", "/\\").replace("||", "\\/").replace("==", "=")
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
    _refuse_unused_registers(test, asked)
    return asked


def _refuse_unused_registers(test: LitmusTest, asked: LitmusTest) -> None:
    """Refuses registers that hold nothing, because their thread does not use them: they are mistyped."""
    named = {str(one) for one in test.observed if isinstance(one, RegisterOf)}
    for one in asked.observed:
        if not isinstance(one, RegisterOf) or str(one) in named:
            continue
        code = set(_names(tuple(test.threads[one.thread].operations)))
        begin = {r.register.register for r in test.registers if r.register.thread == one.thread}
        if one.register not in code | begin:
            message = f"the thread P{one.thread} does not use the register '{one.written}'"
            observed = [name for name in sorted(named) if name.startswith(f"{one.thread}:")]
            hint = f"the test itself looks at {', '.join(observed)}" if observed else "name one that it uses"
            raise UsageError(ErrorCode.BAD_VALUE, message, hint=hint)


def _names(part: object) -> Iterator[str]:
    """The registers that operations name."""
    if isinstance(part, Register):
        yield part.name
    elif isinstance(part, tuple):
        for one in part:
            yield from _names(one)
    elif is_dataclass(part):
        for field in fields(part):
            yield from _names(getattr(part, field.name))


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
