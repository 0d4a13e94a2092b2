"""Programs that a model calls erroneous: whatever they do, the model allows it.

A model may have error rules, such as that there is no race. If some consistent execution of a program breaks
a rule, the program is undefined under the model, so none of its executions refutes a claim about the model.
The program of a counterexample is its events: its other executions have the same events and other rf and co.
I1: a program that is not called undefined has no consistent execution that breaks a rule: all were examined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice

from mazurka.kat.meaning.terms import Inclusion, Relation
from mazurka.prover.refuting.completion import CHOSEN, executions_of
from mazurka.prover.theory.graphs import CandidateGraph, Evaluator
from mazurka.prover.theory.queries import ErrorRules, names_in

MOST_EXECUTIONS = 3_000
# What all executions of a program have in common.
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
    """Whether a model calls the program of a graph erroneous, or finding out would take too long (I1).

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
    """Whether the pairs that a rule concerns depend on the program alone."""
    return names_in(rule.left, views)[0] <= _OF_THE_PROGRAM
