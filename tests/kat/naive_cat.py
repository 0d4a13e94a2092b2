"""What expressions of ``.cat`` files denote, by the definitions of the language, on sets of events and pairs.

Nothing is rewritten here, and only ``po``, ``rf``, ``co`` and predicates of single events come from the
reference. So it says whether ``kat.cat`` finds the right terms.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from mazurka.kat.cat import syntax
from mazurka.kat.cat.parser import parse_cat
from mazurka.kat.meaning import terms
from mazurka.reference.bases import is_initial
from mazurka.reference.graph import Graph
from mazurka.reference.predicates import facts, passes
from mazurka.reference.relations import Relations


class NaiveCat:
    """The values of expressions on one graph: frozen sets, and functions of Python for functions."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        relations = Relations(graph, {})
        self.events = relations.events
        self._accesses = self._passing("LOC")
        base = {name: frozenset(relations.pairs(terms.Base(name))) for name in ("po", "rf", "co", "rmw")}
        self.names: dict[str, Any] = {"_": frozenset(self.events), "0": frozenset(), **base}
        primitives = {
            "R": "R",
            "W": "W",
            "F": "F",
            "M": "LOC",
            "IW": "INIT",
            "SC": "SC",
            "NA": "NA",
            "RLX": "RLX",
        }
        for name, primitive in primitives.items():
            self.names[name] = self._passing(primitive)
        same = {(a, b) for a, b in product(self.events, repeat=2) if self._place(a) & self._place(b)}
        internal = {(a, b) for a, b in product(self.events, repeat=2) if a == b or self._thread(a, b)}
        self.names |= {
            "id": frozenset((e, e) for e in self.events),
            "loc": frozenset(same),
            "int": frozenset(internal),
            "ext": frozenset(product(self.events, repeat=2)) - internal,
            "domain": lambda pairs: frozenset(a for a, _ in pairs),
            "range": lambda pairs: frozenset(b for _, b in pairs),
        }
        inverse = frozenset((b, a) for a, b in base["rf"])
        self.names["fr"] = frozenset((a, d) for a, b in inverse for c, d in base["co"] if b == c)
        for name in ("rf", "co", "fr"):
            self.names[f"{name}e"] = self.names[name] - internal
            self.names[f"{name}i"] = self.names[name] & internal
        self.names["po-loc"] = base["po"] & same

    def _passing(self, name: str) -> frozenset[Any]:
        return frozenset(e for e in self.events if passes(facts(self.graph, e), terms.Primitive(name)))

    def _place(self, event: Any) -> set[int]:
        return (
            {event[1]}
            if is_initial(event)
            else {*self.graph.cells(event)}
            if event in self._accesses
            else set()
        )

    def _thread(self, a: Any, b: Any) -> bool:
        return not is_initial(a) and a[0] == b[0]

    def run(self, text: str) -> dict[str, Any]:
        """All names behind the definitions of a text."""
        names = dict(self.names)
        for statement in parse_cat(text, "naive.cat"):
            if isinstance(statement, syntax.Let):
                names = self._defined(statement, names)
        return names

    def _defined(self, define: syntax.Let, names: dict[str, Any]) -> dict[str, Any]:
        own = [binding.names.name for binding in define.bindings if isinstance(binding.names, syntax.Ident)]
        inner = {**names, **dict.fromkeys(own, frozenset())} if define.recursive else names
        while True:
            found = [self.value(body, inner) for _, body in define.bindings]
            after = {**names, **dict(zip(own, found, strict=True))}
            if not define.recursive or all(after[name] == inner[name] for name in own):
                return after
            inner = after

    def value(self, expression: syntax.CatExpression, names: dict[str, Any]) -> Any:
        match expression:
            case syntax.Ident(name):
                return names[name]
            case syntax.Brackets(body):
                return frozenset((e, e) for e in self.value(body, names))
            case syntax.Infix(op, left, right):
                return self._infix(op, self.value(left, names), self.value(right, names))
            case syntax.Affix("~", body):
                whole = self.names["_"] if _is_set(body) else frozenset(product(self.events, repeat=2))
                return whole - self.value(body, names)
            case syntax.Affix(op, body):
                return self._affix(op, self.value(body, names))
            case syntax.Application(function, argument):
                return self.value(function, names)(self.value(argument, names))
            case syntax.Abstraction(parameters, body):
                assert isinstance(parameters, syntax.Ident)
                return lambda given: self.value(body, {**names, parameters.name: given})
            case syntax.Local(define, body):
                return self.value(body, self._defined(define, names))
        raise AssertionError(expression)

    def _infix(self, op: str, left: Any, right: Any) -> Any:
        if op == ";":
            return frozenset((a, d) for a, b in left for c, d in right if b == c)
        if op == "*":
            return frozenset(product(left, right))
        return {"|": left | right, "&": left & right, "\\": left - right}[op]

    def _affix(self, op: str, body: Any) -> Any:
        if op == "^-1":
            return frozenset((b, a) for a, b in body)
        closed = body | self.names["id"] if op in "?*" else body
        while op in "+*" and (more := closed | self._infix(";", closed, closed)) != closed:
            closed = more
        return closed


def _is_set(expression: syntax.CatExpression) -> bool:
    """Whether an expression is obviously a set: an empty one does not show it."""
    match expression:
        case syntax.Ident(name):
            return name == "_" or name.isupper()
        case syntax.Application(syntax.Ident(name), _):
            return name in ("domain", "range")
        case syntax.Infix("|" | "&" | "\\", left, _) | syntax.Affix("~", left):
            return _is_set(left)
    return False
