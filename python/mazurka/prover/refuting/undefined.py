"""Programs that a model calls erroneous: whatever they do, the model allows it.

A model may have error rules, such as that there is no race. A program of which some consistent execution
breaks a rule is undefined under the model, so none of its executions refutes that the model allows something.
The program of a counterexample is its events: its other executions have the same events and other rf and co.
I1: what is not called undefined has no consistent execution that breaks a rule: all of them were looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice

from mazurka.kat.meaning.terms import Inclusion, Relation
from mazurka.prover.refuting.completion import CHOSEN, executions_of
from mazurka.prover.theory.graphs import CandidateGraph, Evaluator
from mazurka.prover.theory.queries import ErrorRules, names_in

MOST_EXECUTIONS = 3_000
# What one program's executions agree in.
_OF_THE_PROGRAM = frozenset(("po", "po-loc", "po-imm", "rmw", "addr", "data", "ctrl")) | {
    *("same-thread", "loc-overlap", "any")
}


def program_of(graph: CandidateGraph) -> object:
    """What the executions of one program have in common, as a key."""
    relations = ((name, rows) for name, rows in graph.relations.items() if name not in CHOSEN)
    shared = tuple(sorted((name, tuple(rows)) for name, rows in relations))
    return graph.kinds, graph.threads, graph.locations, shared


def is_undefined(
    graph: CandidateGraph,
    model: ErrorRules,
    views: Mapping[str, Relation],
    look: Callable[[], None] = lambda: None,
) -> bool:
    """Whether a model calls the program of a graph erroneous, or that is too much to find out (I1).

    ``look`` is called now and then, and may end the search by an exception.
    """
    evaluator = Evaluator(graph, views)
    if all(_is_settled(rule, views) and not any(evaluator.rows(rule.left)) for rule in model.rules):
        return False
    left = MOST_EXECUTIONS
    for execution in islice(executions_of(graph), MOST_EXECUTIONS):
        look()
        left -= 1
        other = Evaluator(execution, views)
        if not all(other.holds(rule) for rule in model.rules) and all(map(other.holds, model.axioms)):
            return True
    return not left


def _is_settled(rule: Inclusion, views: Mapping[str, Relation]) -> bool:
    """Whether which pairs a rule is about depends on the program alone."""
    return names_in(rule.left, views)[0] <= _OF_THE_PROGRAM
