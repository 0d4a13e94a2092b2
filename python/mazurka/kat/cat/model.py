"""From the statements of a ``.cat`` file, and of those it includes, to a ``Model``.

Before ``mine.cat``, the file ``mine.bell`` is read if there is one: it declares tags. An included file is
read in the place where it is included, as if its text stood there, except for the files of herd's own library
that define what is built in (``names.LIBRARY``).

A check is an axiom. ``flag ~empty r`` is an error rule: a graph in which r has a pair is a finding. Checks
that require something to happen (``~empty r``, ``flag empty r``) are refused: whether they hold is known only
at the end of an execution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path
from typing import TypeAlias

from mazurka.errors import ErrorCode, ModelError, Place
from mazurka.kat.cat import syntax
from mazurka.kat.cat.algebra import ONE, TWO
from mazurka.kat.cat.causal import causal_order
from mazurka.kat.cat.evaluate import Evaluation
from mazurka.kat.cat.idioms import idiomatic
from mazurka.kat.cat.lexer import tokens_of
from mazurka.kat.cat.names import LIBRARY, scheme_of
from mazurka.kat.cat.parser import parse_cat
from mazurka.kat.cat.syntax import CatStatement, IncludedFile
from mazurka.kat.cat.values import CatProcedure, CatScope, Denoted, TagSet, described
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.parts import relations_in, replaced
from mazurka.kat.meaning.problems import problem
from mazurka.kat.meaning.terms import Axiom, ErrorRule, Span

_MOST_OPEN = 20  # nested includes, and nested calls of procedures
# Finds a file that another one includes, by its name: its path and its text.
FindInclude: TypeAlias = Callable[[str, Span, Path, str], tuple[Path, str]]


def cat_model(
    text: str,
    path: Path,
    find: FindInclude,
    *,
    bell: tuple[Path, str] | None = None,
    require_axioms: bool = True,
) -> terms.Model:
    """The model of a file's text, in the forms that the engine knows; ``bell`` is read before it."""
    model = idiomatic(stated_model(text, path, find, bell=bell, require_axioms=require_axioms))
    ppo = causal_order(_of_one_size(model))
    return model if ppo is None else replace(model, ppo=ppo, derives_ppo=True)


def _of_one_size(model: terms.Model) -> terms.Model:
    """The model for accesses of one size, which are all pieces of themselves."""
    whole = [
        replace(axiom, relation=replaced(axiom.relation, terms.Base("si"), terms.Identity()))
        for axiom in model.axioms
    ]
    return replace(model, axioms=tuple(whole))


def stated_model(
    text: str,
    path: Path,
    find: FindInclude,
    *,
    bell: tuple[Path, str] | None = None,
    require_axioms: bool = True,
) -> terms.Model:
    """The model of a file's text, as it is stated."""
    files = _Files(find)
    first = () if bell is None else (files.read(bell[1], bell[0], ()),)
    main = files.read(text, path, ())
    evaluation = Evaluation(files.texts, frozenset(files.used))
    collected = _Collected(evaluation, files)
    scope: CatScope = {}
    for file in (*first, main):
        scope = collected.run(file, scope)
    if require_axioms and not collected.axioms:
        raise ModelError(
            ErrorCode.BAD_MODEL,
            "this model has no axiom, so every graph would be consistent",
            place=Place(str(path), 1, 1),
            hint="state an axiom, for example: acyclic po | rf | co | fr",
        )
    titles = [statement.text for statement in main.statements if isinstance(statement, syntax.Title)]
    return terms.Model(
        name=path.stem,
        title=titles[0] if titles else "",
        path=path,
        axioms=tuple(collected.axioms),
        definitions=collected.definitions,
        errors=tuple(collected.errors),
        mapping=scheme_of(files.used),
    )


@dataclass(frozen=True, eq=False)
class CatFile:
    """A file that has been parsed, with the files that it includes by their names."""

    path: Path
    statements: list[CatStatement]
    included: dict[str, CatFile]


@dataclass
class _Files:
    """Reads a file and those it includes, each once."""

    find: FindInclude
    texts: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    known: dict[Path, CatFile] = field(default_factory=dict)

    def read(self, text: str, path: Path, above: tuple[Path, ...]) -> CatFile:
        self.texts[str(path)] = text
        statements = parse_cat(text, str(path))
        self.used |= {token.text for token in tokens_of(text, str(path)) if token.kind in ("name", "string")}
        above = (*above, path.resolve())
        included = {
            s.path: self._include(s, path, text, above)
            for s in _includes(statements)
            if s.path not in LIBRARY
        }
        self.known[path.resolve()] = CatFile(path, statements, included)
        return self.known[path.resolve()]

    def _include(self, statement: IncludedFile, path: Path, text: str, above: tuple[Path, ...]) -> CatFile:
        found, content = self.find(statement.path, statement.span, path, text)
        if found.resolve() in above or len(above) >= _MOST_OPEN:
            again = (
                "includes itself" if found.resolve() in above else f"is nested in {len(above)} other files"
            )
            raise problem(
                statement.span,
                f"'{statement.path}' {again}",
                hint="move their common part into a file of its own and include that",
                text=text,
            )
        return self.known.get(found.resolve()) or self.read(content, found, above)


def _includes(statements: list[CatStatement] | tuple[CatStatement, ...]) -> Iterator[IncludedFile]:
    for statement in statements:
        if isinstance(statement, IncludedFile):
            yield statement
        elif isinstance(statement, syntax.Procedure | syntax.Conditional | syntax.ForAll):
            yield from _includes(statement.body)


@dataclass
class _Collected:
    """What the files state so far."""

    evaluation: Evaluation
    files: _Files
    axioms: list[Axiom] = field(default_factory=list)
    errors: list[ErrorRule] = field(default_factory=list)
    definitions: dict[str, terms.Relation | terms.Test] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def run(self, file: CatFile, scope: CatScope) -> CatScope:
        """The names that are known behind a file."""
        for statement in file.statements:
            scope = self._statement(statement, scope, file, 0)
        return scope

    def _statement(self, statement: CatStatement, scope: CatScope, file: CatFile, depth: int) -> CatScope:
        evaluation = self.evaluation
        match statement:
            case syntax.Let():
                scope = evaluation.defined(statement, scope)
                self._record(statement, scope)
            case syntax.CatCheck():
                self._check(statement, scope)
            case IncludedFile(name):
                return {**scope, **LIBRARY[name]} if name in LIBRARY else self.run(file.included[name], scope)
            case syntax.Procedure(name, parameters, body):
                return {**scope, name.name: CatProcedure(parameters, body, scope)}
            case syntax.Call(name, argument, label):
                self._call(name, argument, label, scope, file, depth)
            case syntax.Enumeration(name, tags):
                evaluation.tags |= {tag.name for tag in tags}
                return {**scope, name.name: TagSet(frozenset(tag.name for tag in tags))}
            case syntax.Instructions(kind, tags):
                self._instructions(kind, tags, scope)
            case syntax.Generated(name, _, span) if name.name != "co":
                evaluation.fail(
                    span,
                    f"only co can be generated, not '{name.name}'",
                    "define it with let; co has every order of each location's writes",
                )
            case syntax.Conditional(body):
                for inner in body:
                    scope = self._statement(inner, scope, file, depth)
            case syntax.ForAll():
                self._for_all(statement, scope, file, depth)
            case syntax.Hidden(expressions):
                for expression in expressions:
                    evaluation.value(expression, scope)
        return scope

    def _record(self, statement: syntax.Let, scope: CatScope) -> None:
        for names, _ in statement.bindings:
            for name in (names,) if isinstance(names, syntax.Ident) else names:
                found = scope[name.name]
                if isinstance(found, Denoted):
                    self.definitions[name.name] = found.term

    def _call(
        self,
        name: syntax.Ident,
        argument: syntax.CatExpression,
        label: str | None,
        scope: CatScope,
        file: CatFile,
        depth: int,
    ) -> None:
        found = self.evaluation.procedure(name, scope)
        if depth >= _MOST_OPEN:
            self.evaluation.fail(
                name.span, f"calls are nested more than {_MOST_OPEN} deep", "call fewer procedures"
            )
        given = self.evaluation.value(argument, scope)
        inner = self.evaluation.bound(found.parameters, given, argument.span, found.scope)
        for statement in found.body:
            if isinstance(statement, syntax.CatCheck) and label is not None:
                statement = statement._replace(name=label)
            inner = self._statement(statement, inner, file, depth + 1)

    def _for_all(self, statement: syntax.ForAll, scope: CatScope, file: CatFile, depth: int) -> None:
        source = self.evaluation.value(statement.source, scope)
        if not isinstance(source, TagSet):
            self.evaluation.fail(
                statement.source.span,
                f"expected a set of tags, but this is {described(source)}",
                "forall is for enumerations; state other checks once for each case",
            )
        for tag in sorted(source.tags):
            inner: CatScope = {**scope, statement.name.name: TagSet(frozenset((tag,)))}
            for one in statement.body:
                inner = self._statement(one, inner, file, depth)

    def _instructions(
        self, kind: syntax.Ident, tags: tuple[syntax.CatExpression, ...], scope: CatScope
    ) -> None:
        for tag in tags:
            found = self.evaluation.value(tag, scope)
            if not isinstance(found, TagSet):
                self.evaluation.fail(
                    tag.span,
                    f"expected tags for the instructions '{kind.name}'",
                    "write instructions R[{'once, 'acquire}], or the name of an enumeration",
                )

    def _check(self, check: syntax.CatCheck, scope: CatScope) -> None:
        read = self.evaluation.denoted if check.kind == "empty" else self.evaluation.related
        found = read(check.body, scope)
        if check.flag != check.negated:
            stated = f"{'flag ' * check.flag}{'~' * check.negated}{check.kind}"
            self.evaluation.fail(
                check.span,
                f"'{stated}' requires something to happen, which no part of an execution can show",
                f"write {'flag ~' * check.flag}{check.kind} instead",
            )
        relation, name = found.relation, self._name(check)
        named = relations_in(relation)
        for half in (ONE, TWO):
            if half.name in named:
                self.evaluation.fail(
                    check.span,
                    f"this check needs '{half.name}', but graphs do not show how many instructions it was",
                    "write rmw for both, or [A] ; amo ; [L] for single instructions that acquire and release",
                )
        if not check.flag:
            self.axioms.append(Axiom(check.kind, relation, name, check.span))
            return
        if check.kind == "acyclic":
            relation = terms.Plus(relation)
        if check.kind != "empty":
            relation = terms.Intersection(relation, terms.Identity())
        self.errors.append(ErrorRule(name, terms.Inclusion(relation, terms.Empty()), check.span))

    def _name(self, check: syntax.CatCheck) -> str:
        """What reports call a check; two of one name are told apart by a number."""
        own = check.name or f"{check.kind} at {Path(check.span.path).name}:{check.span.line}"
        names = chain((own,), (f"{own} ({number})" for number in count(2)))
        found = next(name for name in names if name not in self.taken)
        self.taken.add(found)
        return found
