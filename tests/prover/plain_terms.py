"""Terms of the model language as nested tuples, what they denote as sets of pairs, and how they are written.

Shares nothing with the prover: each operator is its textbook definition on Python sets. A term is ``("rel",
name)``, ``("test", test)``, ``("id",)``, ``("0",)``, ``(";" or "|" or "&" or "\\\\", a, b)``, ``("+" or "*"
or "?" or "^-1", a)``, or ``("let", name, a)``, which is written as its name. A test is ``("is", predicate)``,
``("all",)`` or two tests with ``&``, ``|`` or ``\\\\``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from plain_graphs import Graph, Pair

Term: TypeAlias = tuple[Any, ...]
Pairs: TypeAlias = frozenset[Pair]


def rel(name: str) -> Term:
    """A base relation."""
    return ("rel", name)


def having(*predicates: str) -> Term:
    """The events with one of some predicates, each with itself."""
    test: Term = ("is", predicates[0])
    for name in predicates[1:]:
        test = ("|", test, ("is", name))
    return ("test", test)


def seq(*parts: Term) -> Term:
    """One after the other."""
    whole = parts[0]
    for part in parts[1:]:
        whole = (";", whole, part)
    return whole


def turned(term: Term) -> Term:
    """The inverse; that of a test, which the language refuses, is the test."""
    return term if _is_test(term) else ("^-1", term)


def _is_test(term: Term) -> bool:
    match term:
        case ("test", _) | ("id",) | ("0",):
            return True
        case ("let", _, body) | ("+" | "*" | "?" | "^-1", body):
            return _is_test(body)
        case (_, one, two):
            return _is_test(one) and _is_test(two)
    return False


# Meaning ------------------------------------------------------------------------------------------------


def meaning(term: Term, graph: Graph) -> Pairs:
    """The pairs of events that a term denotes."""
    match term:
        case ("0",):
            return frozenset()
        case ("id",):
            return frozenset((e, e) for e in graph.events)
        case ("rel", name):
            return graph.relation(name)
        case ("test", test):
            return frozenset((e, e) for e in graph.events if passes(e, test, graph))
        case ("let", _, body):
            return meaning(body, graph)
        case ("|", one, two):
            return meaning(one, graph) | meaning(two, graph)
        case ("&", one, two):
            return meaning(one, graph) & meaning(two, graph)
        case ("\\", one, two):
            return meaning(one, graph) - meaning(two, graph)
        case (";", one, two):
            return joined(meaning(one, graph), meaning(two, graph))
        case ("^-1", body):
            return frozenset((b, a) for a, b in meaning(body, graph))
        case ("?", body):
            return meaning(body, graph) | meaning(("id",), graph)
        case ("+", body):
            return repeated(meaning(body, graph))
        case ("*", body):
            return repeated(meaning(body, graph)) | meaning(("id",), graph)
    raise AssertionError(term)


def joined(one: Pairs, two: Pairs) -> Pairs:
    """A pair of one, then a pair of the other."""
    return frozenset((a, d) for a, b in one for c, d in two if b == c)


def repeated(pairs: Pairs) -> Pairs:
    """One or more steps."""
    found = pairs
    while True:
        more = found | joined(found, pairs)
        if more == found:
            return found
        found = more


def passes(event: int, test: Term, graph: Graph) -> bool:
    """Whether an event passes a test."""
    match test:
        case ("all",):
            return True
        case ("is", name):
            return name in graph.predicates[event]
        case ("&", one, two):
            return passes(event, one, graph) and passes(event, two, graph)
        case ("|", one, two):
            return passes(event, one, graph) or passes(event, two, graph)
        case ("\\", one, two):
            return passes(event, one, graph) and not passes(event, two, graph)
    raise AssertionError(test)


# Claims: ("<=" or "=", a, b), ("empty" or "irreflexive" or "acyclic", a), ("total", relation, test) ---------


def holds(claim: Term, graph: Graph) -> bool:
    """Whether a claim or an assumption holds in a graph."""
    match claim:
        case ("<=", one, two):
            return meaning(one, graph) <= meaning(two, graph)
        case ("=", one, two):
            return meaning(one, graph) == meaning(two, graph)
        case ("empty", body):
            return not meaning(body, graph)
        case ("irreflexive", body):
            return all(a != b for a, b in meaning(body, graph))
        case ("acyclic", body):
            return all(a != b for a, b in repeated(meaning(body, graph)))
        case ("total", name, test):
            inside = [e for e in graph.events if passes(e, test, graph)]
            order = graph.relation(name)
            return (
                repeated(order) == order
                and all(a != b and a in inside and b in inside for a, b in order)
                and all(a == b or (a, b) in order or (b, a) in order for a in inside for b in inside)
            )
    raise AssertionError(claim)


# Text ---------------------------------------------------------------------------------------------------


def text(term: Term) -> str:
    """A term in the model language, with all of its parentheses."""
    match term:
        case ("0",) | ("id",):
            return str(term[0])
        case ("rel", name) | ("let", name, _):
            return str(name)
        case ("test", test):
            return f"[{text_of_test(test)}]"
        case (("|" | "&" | "\\" | ";") as operator, one, two):
            return f"({text(one)} {operator} {text(two)})"
        case (("+" | "*" | "?" | "^-1") as operator, body):
            return f"({text(body)}){operator}"
    raise AssertionError(term)


def text_of_test(test: Term) -> str:
    """A test in the model language."""
    match test:
        case ("all",):
            return "[]"
        case ("is", name):
            return str(name)
        case (operator, one, two):
            return f"({text_of_test(one)} {operator} {text_of_test(two)})"
    raise AssertionError(test)


def claim_text(claim: Term) -> str:
    """A claim in the model language."""
    match claim:
        case (("<=" | "=") as operator, one, two):
            return f"{text(one)} {operator} {text(two)}"
        case ("empty", body):
            return f"{text(body)} = 0"
        case ("total", name, test):
            return f"total [{text_of_test(test)}] ; {name} ; [{text_of_test(test)}]"
        case (kind, body):
            return f"{kind} {text(body)}"
    raise AssertionError(claim)


def parts(term: Any) -> Iterator[Term]:
    """A term or claim and all terms in it."""
    if isinstance(term, tuple):
        yield term
        for part in term:
            yield from parts(part)


def lets(terms: Iterable[Term]) -> dict[str, Term]:
    """What the names in some terms stand for, those that others need first."""
    named = [part for term in terms for part in parts(term) if part and part[0] == "let"]
    return {part[1]: part[2] for part in reversed(named)}
