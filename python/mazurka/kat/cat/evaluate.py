"""Gives expressions of ``.cat`` files their values: from ``syntax`` to the terms of ``kat.meaning``.

A function is applied by evaluating its body, so what is left are sets and relations.
I1: the work for one model, its recursion, and the size of each term are bounded (``_STEPS``, ``_extent``).
I2: ``scope`` is never changed: a definition makes a new one, so functions keep the names that they saw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import NoReturn

from mazurka.errors import ModelError
from mazurka.kat.cat import algebra, syntax
from mazurka.kat.cat.fixpoints import least, negative
from mazurka.kat.cat.names import KNOWN, OF_EITHER, UNSUPPORTED, builtin_of
from mazurka.kat.cat.sections import of_sections
from mazurka.kat.cat.syntax import CatExpression, Ident, Parameters
from mazurka.kat.cat.tags import TAGS, relation_of, set_of, tag_of
from mazurka.kat.cat.values import (
    BuiltinFunction,
    CatFunction,
    CatProcedure,
    CatScope,
    CatValue,
    Denoted,
    Pack,
    Sort,
    TagSet,
    a_relation,
    a_set,
    common,
    described,
)
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.parts import DEEPEST, parts
from mazurka.kat.meaning.problems import problem
from mazurka.kat.meaning.terms import Relation, Span
from mazurka.spelling import did_you_mean

_STEPS = 100_000
_LARGEST = 500_000  # parts of a term; the kernel's model has 250 000
_DEEPEST = 100
_REPEATED: dict[str, Callable[[Relation], Relation]] = {
    "+": terms.Plus,
    "*": terms.Star,
    "?": terms.Maybe,
    "^-1": terms.Inverse,
}


@dataclass
class Evaluation:
    """The evaluation of one model; ``texts`` has its files, ``used`` all names that occur in them."""

    texts: Mapping[str, str]
    used: frozenset[str]
    tags: set[str] = field(default_factory=set)  # of all enumerations
    steps: int = 0
    depth: int = 0  # of nested expressions, with the bodies of functions
    recursive: int = 0
    extents: dict[int, tuple[Relation, int, int]] = field(default_factory=dict)  # see ``_extent``
    unknown: list[ModelError] = field(default_factory=list)  # the errors that ``try`` catches

    def fail(self, span: Span, message: str, hint: str) -> NoReturn:
        """Raises an error about a part of a file."""
        raise problem(span, message, hint=hint, text=self.texts.get(span.path))

    # Values ---------------------------------------------------------------------------------------------

    def value(self, expression: CatExpression, scope: CatScope) -> CatValue:
        """What an expression stands for."""
        self.steps += 1
        self.depth += 1
        if self.steps > _STEPS or self.depth > _DEEPEST:
            self.fail(
                expression.span,
                "this model is too large: functions are applied too often, or too deep inside each other",
                "apply fewer functions to each other",
            )
        found = self._value(expression, scope)
        self.depth -= 1
        return found

    def _value(self, expression: CatExpression, scope: CatScope) -> CatValue:
        match expression:
            case Ident(name, span):
                return self.lookup(name, span, scope)
            case syntax.Tag(name):
                return TagSet(frozenset((name,)))
            case syntax.Brackets(body):
                return a_relation(algebra.as_relation(self.events(body, scope)))
            case syntax.Braces(members, span):
                return self._braces(members, scope)
            case syntax.Several(members):
                return Pack(tuple(self.value(member, scope) for member in members))
            case syntax.Infix(op, left, right, span):
                return self._infix(op, left, right, span, scope)
            case syntax.Affix("~", body):
                inner = self.denoted(body, scope)
                is_set = inner.sort is Sort.SET
                outside = algebra.complement(inner.term, is_set=is_set)
                return a_set(outside) if is_set else a_relation(algebra.as_relation(outside))
            case syntax.Affix(op, body):
                return a_relation(_REPEATED[op](self.relation(body, scope)))
            case syntax.Application(Ident("tag2events"), argument):
                return self._tagged(argument, scope)
            case syntax.Application(function, argument, span):
                return self._apply(self.value(function, scope), argument, span, scope)
            case syntax.Abstraction():
                return CatFunction(expression, scope)
            case syntax.Local(define, body):
                return self.value(body, self.defined(define, scope))
            case syntax.Variant(is_met, on, off):
                return self.value(on if is_met else off, scope)
            case syntax.Match():
                return self._match(expression, scope)
            case syntax.Attempt(body, otherwise):
                return self._attempt(body, otherwise, scope)

    def lookup(self, name: str, span: Span, scope: CatScope) -> CatValue:
        """What a name means."""
        found = scope.get(name)
        if found is None and (test := set_of(name, self.tags)) is not None:
            return a_set(test)
        if found is None and (relation := relation_of(name, self.tags)) is not None:
            return a_relation(relation)
        found = found or builtin_of(name, self.used)
        if found is not None:
            return found
        if name in UNSUPPORTED:
            self._unknown(span, f"'{name}' cannot be used: {UNSUPPORTED[name]}", "leave it out")
        if name == "A" or (len(name) == 2 and set(name) <= set("RWMA")):
            self._unknown(
                span,
                f"'{name}' is ambiguous: A means acquire loads on Arm, locked accesses on x86, atomics in C",
                "write R & ACQ, UR | UW | UX, or RLX | ACQ | REL | ACQ_REL | SC",
            )
        if (tag := tag_of(name, self.tags)) is not None:
            self._unknown(
                span,
                f"'{name}' is the set of the tag '{tag}, which no event of Mazurka's graphs has",
                did_you_mean(tag, TAGS) or "docs/reference/cat.md has the tags that events have",
            )
        hint = did_you_mean(name, {*KNOWN, *scope})
        return self._unknown(span, f"unknown name '{name}'", hint or "define it with let before this line")

    def _unknown(self, span: Span, message: str, hint: str) -> NoReturn:
        self.unknown.append(problem(span, message, hint=hint, text=self.texts.get(span.path)))
        raise self.unknown[-1]

    def _tagged(self, argument: CatExpression, scope: CatScope) -> CatValue:
        """The events that have one of some tags."""
        found = self.value(argument, scope)
        if not isinstance(found, TagSet):
            self.fail(argument.span, f"expected a tag, but this is {described(found)}", "write 'once")
        unknown = [tag for tag in sorted(found.tags) if tag not in TAGS]
        if unknown:
            self._unknown(
                argument.span,
                f"no event of Mazurka's graphs has the tag '{unknown[0]}",
                "docs/reference/cat.md has the tags that events have",
            )
        return a_set(reduce(terms.Either, (TAGS[tag] for tag in sorted(found.tags))))

    def _match(self, match: syntax.Match, scope: CatScope) -> CatValue:
        tag = self.value(match.subject, scope)
        if not isinstance(tag, TagSet) or len(tag.tags) != 1:
            self.fail(
                match.subject.span,
                f"expected a tag, but this is {described(tag)}",
                "match is for tags: sets of sets are not supported, and co need not be generated",
            )
        for wanted, body in match.cases:
            if wanted is None or wanted in tag.tags:
                return self.value(body, scope)
        return self.fail(match.span, f"no case matches '{min(tag.tags)}", "add the case || _ -> e")

    def _attempt(self, body: CatExpression, otherwise: CatExpression, scope: CatScope) -> CatValue:
        depth = self.depth
        try:
            return self.value(body, scope)
        except ModelError as error:
            if all(error is not known for known in self.unknown):
                raise
            self.depth = depth
        return self.value(otherwise, scope)

    def denoted(self, expression: CatExpression, scope: CatScope) -> Denoted:
        """The set or the relation that an expression stands for."""
        return self._checked(self.value(expression, scope), expression.span)

    def _checked(self, found: CatValue, span: Span) -> Denoted:
        """A value that must be a set or a relation, and not too large (I1)."""
        if not isinstance(found, Denoted):
            self.fail(
                span,
                f"expected a set or a relation, but this is {described(found)}",
                "apply functions to arguments: f(x); tags are for instructions",
            )
        deepest, number = self._extent(found.relation)
        if deepest > DEEPEST or number > _LARGEST:
            self.fail(
                span,
                "this expression is too large once its names are expanded",
                "simplify it, or the definitions that it uses",
            )
        return found

    def _extent(self, term: Relation) -> tuple[int, int]:
        """The depth and the number of parts of a term. Its parts are known already, by their identities."""
        known = self.extents.get(id(term))
        if known is None:
            inner = [self._extent(part) for part in parts(term)]
            depth = 1 + max((below for below, _ in inner), default=0)
            known = self.extents[id(term)] = term, depth, 1 + sum(number for _, number in inner)
        return known[1:]

    def relation(self, expression: CatExpression, scope: CatScope) -> Relation:
        """The relation that an expression stands for."""
        return self.related(expression, scope).relation

    def related(self, expression: CatExpression, scope: CatScope) -> Denoted:
        """The same as a value."""
        found = self.denoted(expression, scope)
        if found.sort is Sort.SET:
            self.fail(expression.span, "expected a relation, but this is a set", "write [S] for a set S")
        return found

    def events(self, expression: CatExpression, scope: CatScope) -> algebra.EventSet:
        """The set of events that an expression stands for."""
        found = self.denoted(expression, scope)
        if found.sort is Sort.RELATION:
            self.fail(
                expression.span,
                "expected a set, but this is a relation",
                "write domain(r) or range(r) for a relation r",
            )
        return found.term

    def _braces(self, members: tuple[CatExpression, ...], scope: CatScope) -> CatValue:
        tags: frozenset[str] = frozenset()
        if not members:
            return Denoted(Sort.EITHER, terms.Empty())
        for member in members:
            found = self.value(member, scope)
            if not isinstance(found, TagSet):
                self.fail(
                    member.span,
                    f"expected a tag between braces, but this is {described(found)}",
                    "write {'once, 'acquire}; sets of sets are not supported",
                )
            tags |= found.tags
        return TagSet(tags)

    def _infix(
        self, op: str, left: CatExpression, right: CatExpression, span: Span, scope: CatScope
    ) -> CatValue:
        if op == ";":
            return a_relation(algebra.composition(self.relation(left, scope), self.relation(right, scope)))
        if op == "*":
            return a_relation(algebra.product(self.events(left, scope), self.events(right, scope)))
        if op == "|" and (others := _beside_either(left, right)) is not None:
            found: algebra.EventSet = OF_EITHER
            for other in others:
                found = algebra.union_of(found, self.events(other, scope))
            return a_set(found)
        first, second = self.value(left, scope), self.value(right, scope)
        if op == "|" and isinstance(first, TagSet) and isinstance(second, TagSet):
            return TagSet(first.tags | second.tags)
        one, two = self._checked(first, left.span), self._checked(second, right.span)
        sort = common(one, two)
        if sort is None:
            self.fail(
                span,
                f"'{op}' needs two sets or two relations, but has {one.sort.value} and {two.sort.value}",
                "write [S] for a set S where a relation is needed",
            )
        make = {"|": algebra.union_of, "&": algebra.meet_of, "\\": algebra.difference}[op]
        return Denoted(sort, make(one.term, two.term))

    # Functions and definitions --------------------------------------------------------------------------

    def _apply(self, function: CatValue, argument: CatExpression, span: Span, scope: CatScope) -> CatValue:
        match function:
            case BuiltinFunction(name, takes, apply):
                read = self.relation if takes is Sort.RELATION else self.events
                found = apply(read(argument, scope))
                if found is None:
                    self.fail(
                        span, f"'{name}' cannot be used here: relations do not know values", "leave it out"
                    )
                return found
            case CatFunction(abstraction, inner):
                given = self.value(argument, scope)
                return self.value(abstraction.body, self.bound(abstraction.parameters, given, span, inner))
        return self.fail(
            span,
            f"this is the argument of a call, but what is called is {described(function)}",
            "write ; between two relations, and & between two sets",
        )

    def bound(self, parameters: Parameters, given: CatValue, span: Span, scope: CatScope) -> CatScope:
        """The scope with parameters bound to arguments."""
        if isinstance(parameters, Ident):
            return {**scope, parameters.name: given}
        members = given.members if isinstance(given, Pack) else (given,)
        if len(members) != len(parameters):
            self.fail(
                span,
                f"expected {len(parameters)} values here, but there are {len(members)}",
                f"write ({', '.join(name.name for name in parameters)})",
            )
        return {**scope, **{name.name: one for name, one in zip(parameters, members, strict=True)}}

    def defined(self, define: syntax.Let, scope: CatScope) -> CatScope:
        """The scope with the names of a ``let``."""
        if define.recursive:
            return self._recursive(define, scope)
        new = scope
        for names, body in define.bindings:  # all see the names from before
            found = self.value(body, scope)
            if isinstance(found, Denoted):
                found = self._checked(found, body.span)
            new = self.bound(names, found, body.span, new)
        return new

    def _recursive(self, define: syntax.Let, scope: CatScope) -> CatScope:
        """The least solution. Which names are sets is found out by evaluating the bodies once."""
        names = [self._single(binding) for binding in define.bindings]
        self.recursive += 1
        inner = {name.name: f"{name.name}#{self.recursive}" for name in names}
        sorts = dict.fromkeys(inner, Sort.EITHER)
        for _ in range(len(names) + 1):
            variables = {n: Denoted(sorts[n], terms.Variable(inner[n])) for n in inner}
            found = [self.denoted(body, {**scope, **variables}) for _, body in define.bindings]
            known = {name.name: one.sort for name, one in zip(names, found, strict=True)}
            if known == sorts:
                break
            sorts = known
        equations = {inner[name.name]: one.relation for name, one in zip(names, found, strict=True)}
        wrongs = [negative(body, {*inner.values()}) for body in equations.values()]
        if any(wrongs) and (nested := of_sections(equations)) is not None:
            return {**scope, **{name: Denoted(sorts[name], nested[inner[name]]) for name in inner}}
        for name, wrong in zip(names, wrongs, strict=True):
            if wrong is not None:
                self.fail(
                    name.span,
                    f"the definition of '{name.name}' has '{wrong.split('#')[0]}' behind '\\' or '~', "
                    "so there may be no least solution",
                    "subtract only what is defined before this let rec",
                )
        solved = least(equations)
        return {**scope, **{name: Denoted(sorts[name], solved[inner[name]]) for name in inner}}

    def _single(self, binding: syntax.Binding) -> Ident:
        if not isinstance(binding.names, Ident):
            self.fail(
                binding.body.span, "'let rec' defines one name per equation", "write let rec x = … and y = …"
            )
        if isinstance(binding.body, syntax.Abstraction):
            self.fail(
                binding.names.span,
                f"the function '{binding.names.name}' is recursive",
                "let rec is for relations and sets; leave rec out if it is not needed",
            )
        return binding.names

    def procedure(self, name: Ident, scope: CatScope) -> CatProcedure:
        """The procedure that a name means."""
        found = self.lookup(name.name, name.span, scope)
        if not isinstance(found, CatProcedure):
            self.fail(
                name.span,
                f"'{name.name}' is {described(found)}, not a procedure",
                "call is for procedures: procedure p(x) = … end",
            )
        return found


def _beside_either(*operands: CatExpression) -> list[CatExpression] | None:
    """The other operands of a union that contains both ``AMO`` and ``X``; None if it does not."""
    waiting, others, found = [*operands], [], set()
    while waiting:
        one = waiting.pop()
        if isinstance(one, syntax.Infix) and one.op == "|":
            waiting += [one.left, one.right]
        elif isinstance(one, Ident) and one.name in ("AMO", "X"):
            found.add(one.name)
        else:
            others.append(one)
    return others if len(found) == 2 else None
