"""Views as clocks: which relations the engine can keep for every event, and with how many clocks.

A clock of an event says for each thread how many of its first events come before. So a view must contain po,
and po followed by the view must be within the view. It must consist of po, rf and rmw walked forwards,
because an event's clocks are computed from its direct predecessors, once, when it is added ("Enhancing GenMC"
§4).
"""

from __future__ import annotations

from mazurka.kat.automata.automaton import END, START, Nfa, compact, concatenate, repeat, step
from mazurka.kat.automata.builder import Builder
from mazurka.kat.automata.guarded import NotRegular
from mazurka.kat.automata.inclusion import included
from mazurka.kat.meaning.plan import EVERY_CLASS, PlanView, Symbol, Transition
from mazurka.kat.meaning.terms import Relation
from mazurka.kat.planning.engine_automaton import EngineAutomaton, emitted, shrink

_WALKED = (Symbol.PO_IMM, Symbol.PO_LOC, Symbol.RFE, Symbol.RFI, Symbol.RMW)


class NotAView(Exception):  # noqa: N818 - says what a relation is, not that something broke
    """A relation cannot be kept as clocks; the message says why."""


def plan_view(name: str, relation: Relation, builder: Builder) -> PlanView:
    """A relation as a view; NotAView if it cannot be one. The builder writes out all views in it."""
    machine = shrink(_with_prefix(as_clocks(relation, builder), builder.classes))
    return PlanView(name, machine.states, emitted(machine.steps), tuple(sorted(machine.final)))


def as_clocks(relation: Relation, builder: Builder) -> Nfa:
    """The steps of a relation that clocks can follow; NotAView if they cannot."""
    try:
        nfa = _immediate(_without_po_loc(builder.automaton(relation)))
    except NotRegular as reason:
        raise NotAView(f"it contains {reason}") from reason
    for s in nfa.steps:
        if s.symbol not in _WALKED or s.inverse:
            raise NotAView(
                f"it uses {_name(s)}, but clocks follow only po, po-loc, rf and rmw, and only forwards"
            )
    if nfa.nullable:
        raise NotAView("it relates events to themselves")
    immediate = step(Symbol.PO_IMM, builder.classes, builder.classes)
    if not included(repeat(immediate), nfa):
        raise NotAView("it does not contain po")
    if not included(concatenate(immediate, nfa), nfa):
        raise NotAView("it does not contain po followed by itself")
    return nfa


def _without_po_loc(nfa: Nfa) -> Nfa:
    """The automaton without steps of po-loc, which take a clock, if it has the same words with po alone; else
    without the classes between which they are redundant, because the engine looks for each pair.
    """
    local = [s for s in nfa.steps if s.symbol == Symbol.PO_LOC]
    if not local:
        return nfa
    fewer = _leaving_out(nfa, EVERY_CLASS, 0)
    if included(nfa, fewer):
        return fewer
    found = nfa
    for one in (1 << at for at in range(EVERY_CLASS.bit_length())):
        for before, after in ((one, 0), (0, one)):
            if any(s.before & before or s.after & after for s in local):
                fewer = _leaving_out(found, before, after)
                found = fewer if included(nfa, fewer) else found
    return found


def _leaving_out(nfa: Nfa, before: int, after: int) -> Nfa:
    """The automaton without steps of po-loc from events of some classes, and to those of others."""
    steps = (
        s._replace(before=s.before & ~before, after=s.after & ~after) if s.symbol == Symbol.PO_LOC else s
        for s in nfa.steps
    )
    return Nfa(nfa.states, compact(steps), nfa.nullable)


def _name(s: Transition) -> str:
    return Symbol(s.symbol).name.lower().replace("_", "-") + ("^-1" if s.inverse else "")


def _immediate(nfa: Nfa) -> Nfa:
    """The automaton with each step of po replaced by one or more immediate steps."""
    steps: list[Transition] = []
    states = nfa.states
    for s in nfa.steps:
        if s.symbol != Symbol.PO or s.inverse:
            steps.append(s)
            continue
        direct = s._replace(symbol=int(Symbol.PO_IMM))
        first = direct._replace(target=states, after=EVERY_CLASS)
        last = direct._replace(source=states, before=EVERY_CLASS)
        steps += [direct, first, last, first._replace(source=states, before=EVERY_CLASS)]
        states += 1
    return Nfa(states, compact(steps), nfa.nullable)


def _with_prefix(nfa: Nfa, classes: int) -> EngineAutomaton:
    """The machine with a loop of po at its start, which adds no pairs, as ``as_clocks`` has checked.

    The start is final, because the words that end there are those of po.
    """
    steps = [*nfa.steps, Transition(START, Symbol.PO_IMM, START)]
    return EngineAutomaton(nfa.states, compact(steps), frozenset((START, END)), classes)
