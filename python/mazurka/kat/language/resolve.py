"""From the statements of a file, and of those it includes, to a ``Model``.

What included files state (axioms, views, error rules, assumptions, assertions) is part of the model. Only the
main file's header (``model``, ``cite``) counts; ``ppo`` and ``map`` of included files hold unless the main
file states its own.
I1: views and declared relations and predicates keep their names; if several files have the same name, those
of included files are called ``file::name``. I2: no two axioms have the same name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import cast

from mazurka.errors import ErrorCode, ModelError, Place
from mazurka.kat.language import syntax
from mazurka.kat.language.elaborate import inclusion, meaning_of, relation, size_of
from mazurka.kat.language.recursion import fixpoints, solve
from mazurka.kat.language.scope import Meaning, Scope, Size
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.irreflexivity import implication
from mazurka.kat.meaning.mapping import MappingError, read_rule
from mazurka.kat.meaning.parts import has_fixpoint
from mazurka.kat.meaning.problems import problem
from mazurka.kat.meaning.terms import Relation, Span


@dataclass(eq=False)
class File:
    """A file that has been parsed."""

    path: Path
    text: str
    statements: list[syntax.Statement]
    included: list[File]


def resolve(main: File, files: Sequence[File], *, require_axioms: bool) -> terms.Model:
    """The model of a file; in ``files``, files come after those that they include, ``main`` last."""
    names = Counter(name for file in files for name in {*_kept_names(file)})
    model = _Collected(clashing={name for name, count in names.items() if count > 1})
    scopes: dict[File, Scope] = {}
    parts: list[_File] = []
    for file, label in zip(files, _labels(files), strict=True):
        included = [scopes[f] for f in file.included]
        scope = Scope(file.path.stem, file.text, model.sizes, included=included)
        scopes[file] = scope
        part = _File(scope, model, "" if file is main else f"{label}::", file.path.resolve())
        part.run(file.statements)
        parts.append(part)
    if require_axioms and not model.axioms:
        raise ModelError(
            ErrorCode.BAD_MODEL,
            "this model has no axiom, so every graph would be consistent"
            if main.statements
            else "this model file is empty",
            place=Place(str(main.path), 1, 1),
            hint="state an axiom, for example: acyclic po | rf | co | fr",
        )
    return _model(main, parts, model, strict=require_axioms)


def _kept_names(file: File) -> Iterator[str]:
    """The names that terms keep: of views, and of declared relations and predicates (I1)."""
    for statement in file.statements:
        if isinstance(statement, syntax.Declare):
            yield statement.name.name
        elif isinstance(statement, syntax.Define) and statement.view:
            yield from (name.name for name, _ in statement.bindings)


def _labels(files: Sequence[File]) -> list[str]:
    """The prefixes that stand for files in names: the stem, with a number if it is taken."""
    labels: list[str] = []
    for file in files:
        names = chain((file.path.stem,), (f"{file.path.stem}({number})" for number in count(2)))
        labels.append(next(name for name in names if name not in labels))
    return labels


@dataclass
class _Collected:
    """What the files state, together."""

    clashing: set[str]
    sizes: dict[str, Size] = field(default_factory=dict)  # of views
    declared: dict[str, Path] = field(default_factory=dict)
    taken: dict[str, Span] = field(default_factory=dict)  # the names of axioms
    axioms: list[terms.Axiom] = field(default_factory=list)
    views: dict[str, Relation] = field(default_factory=dict)
    definitions: dict[str, Meaning] = field(default_factory=dict)
    errors: list[terms.ErrorRule] = field(default_factory=list)
    assumptions: list[terms.Statement] = field(default_factory=list)
    assertions: list[terms.Statement] = field(default_factory=list)
    disjoint: list[tuple[str, ...]] = field(default_factory=list)


@dataclass
class _File:
    """One file: its names and its header."""

    scope: Scope
    model: _Collected
    prefix: str  # of the full names of its definitions; the main file has none
    path: Path
    name: str = ""
    title: str = ""
    citations: list[str] = field(default_factory=list)
    ppo: tuple[Relation, Span] | None = None
    mapping: dict[str, tuple[str, Span]] = field(default_factory=dict)

    def run(self, statements: list[syntax.Statement]) -> None:
        """Processes the statements in order."""
        for statement in statements:
            if isinstance(statement, syntax.Define):
                self.scope.later.update((n.name, n.span.line) for n, _ in statement.bindings)
        for statement in statements:
            self._take(statement)

    def _take(self, statement: syntax.Statement) -> None:
        match statement:
            case syntax.Declare(sort, name):
                key = self._key(name.name)
                self.scope.declare(name, (terms.Base if sort == "relation" else terms.Primitive)(key))
                self.model.declared[key] = self.path
            case syntax.Disjoint(names):
                self.model.disjoint.append(tuple(self._primitive(name) for name in names))
            case syntax.Define():
                self._define(statement)
            case syntax.Claim():
                self._claim(statement)
            case syntax.State():
                self._axiom(statement)
            case syntax.Forbid(name, warning, constraint, span):
                rule = terms.ErrorRule(name, inclusion(constraint, self.scope), span, warning)
                self.model.errors.append(rule)
            case syntax.Extra(constraints, expressions):
                # For another consumer, but an unknown name is still an error.
                for constraint in constraints:
                    inclusion(constraint, self.scope)
                for expression in expressions:
                    relation(expression, self.scope)
            case syntax.Header():
                self._header(statement)
            case syntax.Preserved(body, span):
                if self.ppo is not None:
                    raise self._twice("ppo", self.ppo[1], span)
                self.ppo = relation(body, self.scope), span

    def _key(self, name: str) -> str:
        """What terms call a view or a declared name of this file (I1)."""
        return self.prefix + name if name in self.model.clashing else name

    def _primitive(self, name: syntax.Name) -> str:
        meaning = self.scope.lookup(name)
        if not isinstance(meaning, terms.Primitive):
            raise problem(
                name.span,
                f"'{name.name}' is not a predicate",
                hint="disjoint takes predicates that are built in or declared",
                text=self.scope.text,
            )
        return meaning.name

    def _define(self, statement: syntax.Define) -> None:
        bindings = statement.bindings
        if statement.is_fixpoint:
            solved = fixpoints(bindings, self.scope)
            self.model.definitions.update({self.prefix + word: term for word, term in solved.items()})
            return
        meanings: list[tuple[syntax.Name, Meaning]] = []
        if statement.recursive:
            solution = solve(bindings, self.scope)
            meanings = [(name, solution[name.name]) for name, _ in bindings]
        else:
            of = relation if statement.view else meaning_of
            meanings = [(name, of(body, self.scope)) for name, body in bindings]
        for name, meaning in meanings:
            if not statement.view:
                self.scope.define(name, meaning)
            else:
                key = self._key(name.name)
                self.scope.define(name, terms.View(key))
                self.model.views[key] = cast(Relation, meaning)
                self.model.sizes[key] = size_of(meaning, name.span, self.scope)
            self.model.definitions[self.prefix + name.name] = meaning

    def _claim(self, statement: syntax.Claim) -> None:
        claim = None if statement.claim is None else inclusion(statement.claim, self.scope)
        if claim is not None and (has_fixpoint(claim.left) or has_fixpoint(claim.right)):
            raise problem(
                statement.span,
                "claims cannot be about a fixpoint",
                hint="write 'let rec' instead of 'let fix', if the recursion is linear",
                text=self.scope.text,
            )
        total = None if statement.total is None else relation(statement.total, self.scope)
        if statement.assumed:
            self.model.assumptions.append(terms.Statement(claim, statement.span, total))
        else:
            self.model.assertions.append(self._assertion(claim, statement))

    def _assertion(self, claim: terms.Inclusion | None, statement: syntax.Claim) -> terms.Statement:
        meant = None if claim is None else implication(claim, self.model.views)
        right = statement.claim.right if statement.claim is not None else None
        if meant is None or right is None:
            return terms.Statement(claim, statement.span)
        return terms.Statement(meant.claim, statement.span, given=(meant.given, right.span))

    def _axiom(self, statement: syntax.State) -> None:
        span = statement.span
        kind = statement.kind
        if isinstance(statement.body, syntax.Constraint):
            kind, body = _constraint_axiom(inclusion(statement.body, self.scope))
        else:
            body = relation(statement.body, self.scope)
        taken = self.model.taken
        name = statement.name or _made_name(kind, span, taken)
        if name in taken:
            raise self._twice(name, taken[name], statement.name_span or span)
        unless = None if statement.unless is None else inclusion(statement.unless, self.scope)
        self.model.axioms.append(terms.Axiom(kind, body, name, span, unless))
        taken[name] = span

    def _header(self, statement: syntax.Header) -> None:
        match statement:
            case syntax.Header("model", name, title, span):
                if self.name:
                    raise problem(
                        span,
                        "a file can have only one model statement",
                        hint="leave the second one out",
                        text=self.scope.text,
                    )
                self.name, self.title = name, title
            case syntax.Header("cite", _, text):
                self.citations.append(text)
            case syntax.Header(_, name, text, span):
                try:
                    read_rule(name, text)
                except MappingError as error:
                    raise problem(span, error.message, hint=error.hint, text=self.scope.text) from error
                if name in self.mapping:
                    raise self._twice(name, self.mapping[name][1], span)
                self.mapping[name] = text, span

    def _twice(self, name: str, first: Span, second: Span) -> Exception:
        where = f"line {first.line}" if first.path == second.path else f"line {first.line} of {first.path}"
        return problem(
            second,
            f"'{name}' is already used on {where}",
            hint="leave one of them out, or choose another name",
            text=self.scope.text,
        )


def _made_name(kind: str, span: Span, taken: Mapping[str, Span]) -> str:
    """A name for an axiom without one: its line; if that is taken, also its column, and then a number."""
    line = f"{kind} at {Path(span.path).name}:{span.line}"
    place = f"{line}:{span.column}"
    names = chain((line, place), (f"{place} ({number})" for number in count(2)))
    return next(name for name in names if name not in taken)


def _constraint_axiom(claim: terms.Inclusion) -> tuple[str, Relation]:
    """``e <= f`` as an axiom: ``e \\ f`` is empty (and for ``=`` also ``f \\ e``)."""
    left, right = claim.left, claim.right
    if right == terms.Empty():
        return "empty", left
    if claim.equal:
        return "empty", terms.Union(terms.Difference(left, right), terms.Difference(right, left))
    return "empty", terms.Difference(left, right)


def _model(main: File, parts: list[_File], model: _Collected, *, strict: bool) -> terms.Model:
    own = parts[-1]
    ppo = own.ppo
    mapping = dict(own.mapping)
    for part in parts[:-1]:
        if ppo is None:
            ppo = part.ppo
        elif own.ppo is None and part.ppo is not None and part.ppo[0] != ppo[0] and strict:
            raise _disagreement("ppo", ppo[1], part.ppo[1], part)
        for name, (text, span) in part.mapping.items():
            earlier = mapping.setdefault(name, (text, span))
            if earlier[0] != text and name not in own.mapping and strict:
                raise _disagreement(f"map {name}", earlier[1], span, part)
    return terms.Model(
        name=own.name or main.path.stem,
        title=own.title,
        path=main.path,
        axioms=tuple(model.axioms),
        views=model.views,
        definitions=model.definitions,
        errors=tuple(model.errors),
        assumptions=tuple(model.assumptions),
        assertions=tuple(model.assertions),
        disjoint=tuple(model.disjoint),
        declared=model.declared,
        citations=tuple(own.citations),
        ppo=None if ppo is None else ppo[0],
        mapping=tuple((name, text) for name, (text, _) in mapping.items()),
    )


def _disagreement(what: str, first: Span, second: Span, part: _File) -> Exception:
    return problem(
        second,
        f"'{what}' differs here from line {first.line} of {first.path}",
        hint=f"state '{what}' in the file that includes both",
        text=part.scope.text,
    )
