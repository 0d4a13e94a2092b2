"""Why a litmus test cannot end in some way: the axiom that forbids it, and the cycle that the axiom excludes.

The candidates are all executions of the test without a memory model: each read sees any write of its location
whose value is known, and the writes of a location are in any order (``reference.unordered``). Of those that
end as asked, one is shown that breaks the fewest axioms of the model; or one that breaks none.

Read-modify-writes are atomic in every candidate, as they are in every model.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from mazurka.errors import ErrorCode, InternalError, MazurkaError, Place, SourceError, UsageError
from mazurka.files import read_regular
from mazurka.kat.meaning import terms
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
from mazurka.program import Program
from mazurka.reference.consistency import holds
from mazurka.reference.graph import Graph
from mazurka.reference.machine import Machine
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import Kind, ReferenceUnsupported
from mazurka.reference.unordered import full_graphs
from mazurka.why_not.paths import cycle_of
from mazurka.why_not.telling import Teller

MOST_GRAPHS = 30_000  # partial ones: about a minute


def why_not(path: str, outcome: str, *, model: str | None = None, unchecked: bool = False) -> str:
    """Says which axiom forbids that the test in a file ends as ``outcome`` says, or shows that it may."""
    test = _asked(path, outcome)
    chosen = model_of(test, model, unchecked)
    stated = chosen.source.model
    layout = Layout(test)
    program = to_program(test, layout, "" if chosen.own else chosen.name)
    if chosen.mapping and test.language is Language.C11:
        program = apply_mapping(program, chosen.mapping)
    is_allowed = run_test(test, model=model, unchecked_model=unchecked).positive > 0
    try:
        found = _closest(test, layout, program, stated, is_allowed=is_allowed)
    except ReferenceUnsupported as error:
        message = f"why the outcome is {'allowed' if is_allowed else 'forbidden'} cannot be shown: {error}"
        hint = "without --why-not, the test can be run"
        raise SourceError(ErrorCode.UNSUPPORTED, message, place=Place(path, 1, 1), hint=hint) from error
    head = f"{test.name} under {chosen.name}: {outcome}"
    if found is None:
        if is_allowed:
            raise InternalError("the engine allows an outcome for which the reference has no execution")
        return f"{head}\n  impossible in every model: the reads cannot see values that lead there\n"
    teller = Teller(test, layout, program, found.machine, found.graph)
    execution = [*teller.execution(), ""]
    if is_allowed:
        return "\n".join([f"{head}\n  allowed, for example by this execution:", *execution])
    if not found.broken:
        why = (
            "no axiom, but some value would have to come from nowhere: reads depend on each other in a circle"
        )
        return "\n".join([f"{head}\n  forbidden by {why}", "  in the execution", *execution])
    first, *others = found.broken
    lines = [f"{head}\n  forbidden by {first.name}: {_meaning(first)}"]
    lines += teller.cycle(cycle_of(Relations(found.graph, stated.views), first))
    if others:
        lines.append(f"  and by {', '.join(axiom.name for axiom in others)}")
    return "\n".join([*lines, "  in the execution", *execution])


def _meaning(axiom: terms.Axiom) -> str:
    match axiom.kind:
        case "empty":
            return "this may not be"
        case "coherence":
            return "what happens before may not be overtaken in coherence order"
    return "this may not be a cycle"


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
        return parse_litmus_file(f"{''.join(before)}\nexists ({words})\n", path)
    except MazurkaError as error:
        hint = "write it as in the condition of a test, such as '0:r1=1 /\\ 1:r2=0', or 'x==2 && 1:r2==0'"
        message = f"the outcome '{outcome}' cannot be read: {error.message}"
        raise UsageError(ErrorCode.BAD_VALUE, message, hint=hint) from error


def _registers(test: LitmusTest) -> dict[str, int]:
    """Registers that the test's own condition names in one thread only, so that their names are enough."""
    found: dict[str, set[int]] = {}
    for one in test.observed:
        if isinstance(one, RegisterOf):
            found.setdefault(str(one).partition(":")[2], set()).add(one.thread)
    return {name: threads.pop() for name, threads in found.items() if len(threads) == 1}


class _Candidate(NamedTuple):
    machine: Machine
    graph: Graph
    broken: list[terms.Axiom]


def _closest(
    test: LitmusTest, layout: Layout, program: Program, model: terms.Model, *, is_allowed: bool
) -> _Candidate | None:
    """An execution that ends as asked, and breaks no axiom or, if it is not allowed, as few as possible.

    None if there is none. Executions that break no axiom and are forbidden all the same come last.
    """
    machine = Machine(program, confirms=False, tracks=True)
    states, best = States(test, layout), None
    anything = replace(model, axioms=(), pieces=(), ppo=None)
    for graph in full_graphs(machine, anything, MOST_GRAPHS, _can_end_so(test, states)):
        if graph.is_mixed or graph.has_sections:
            raise ReferenceUnsupported("accesses of several sizes, or atomic sections")
        state = states.of_bytes(_last_bytes(graph))
        if not machine.frontier(graph).complete or not states.holds(test.condition.proposition, state):
            continue
        relations = Relations(graph, model.views)
        broken = [axiom for axiom in model.axioms if not holds(relations, axiom)]
        if is_allowed and not broken:
            return _Candidate(machine, graph, broken)
        if not is_allowed and (best is None or _rank(broken) < _rank(best.broken)):
            best = _Candidate(machine, graph, broken)
    return best


def _rank(broken: list[terms.Axiom]) -> int:
    return len(broken) or MOST_GRAPHS


def _last_bytes(graph: Graph) -> dict[int, int]:
    last = (graph.labels[writes[-1]] for writes in graph.co.values() if writes)
    return {at: write.byte(at) for write in last for at in write.footprint}


def _can_end_so(test: LitmusTest, states: States) -> Callable[[Graph], bool]:
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
