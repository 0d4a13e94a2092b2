"""What names mean in one model file: its own definitions, the built-in ones, and those of included files.

I1: a file's own definition hides those of the files it includes, which stay reachable as ``file::name``.
I2: a plain name from included files is defined only if all files that define it mean the same.
I3: declarations belong to their file: relations that two files declare under one name are two relations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from mazurka.kat.language.syntax import Name
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.builtins import PREDICATES, RELATIONS, SYNONYMS
from mazurka.kat.meaning.problems import problem
from mazurka.spelling import did_you_mean

Size: TypeAlias = tuple[int, int]  # depth and number of nodes of a term with its views written out
Meaning: TypeAlias = terms.Relation | terms.Test
TEST_TYPES = (terms.Anything, terms.Primitive, terms.Not, terms.Both, terms.Either)


def builtin(name: str) -> Meaning | None:
    """What a built-in name means."""
    if name == "0":
        return terms.Empty()
    if name == "id":
        return terms.Identity()
    name = SYNONYMS.get(name, name)
    if name in RELATIONS:
        return terms.Base(name)
    return terms.Primitive(name) if name in PREDICATES else None


@dataclass
class Scope:
    """The names of a file. ``later`` has the lines of definitions that have not been reached yet."""

    stem: str
    text: str
    views: dict[str, Size] = field(default_factory=dict)  # the sizes of the views of all files
    own: dict[str, Meaning] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    later: dict[str, int] = field(default_factory=dict)
    included: list[Scope] = field(default_factory=list)

    def declare(self, name: Name, meaning: Meaning) -> None:
        """Adds a declared relation or predicate, unless the name is taken."""
        if builtin(name.name) is not None:
            raise problem(
                name.span,
                f"'{name.name}' is built in and cannot be declared",
                hint="leave this declaration out to use the built-in one, or choose another name",
                text=self.text,
            )
        self.define(name, meaning)

    def define(self, name: Name, meaning: Meaning) -> None:
        """Adds a definition, unless the name is taken."""
        known = builtin(name.name)
        if known == meaning:
            return  # let co = mo
        if known is not None:
            raise problem(
                name.span,
                f"'{name.name}' is built in and cannot be defined again",
                hint="leave this definition out, or choose another name",
                text=self.text,
            )
        if name.name in self.own:
            raise problem(
                name.span,
                f"'{name.name}' is already defined on line {self.lines[name.name]}",
                hint="choose another name",
                text=self.text,
            )
        self.own[name.name] = meaning
        self.lines[name.name] = name.span.line

    def lookup(self, name: Name) -> Meaning:
        """What a name means here."""
        own = self.own.get(name.name)
        meaning = builtin(name.name) if own is None else own
        if meaning is not None:
            return meaning
        found = list(self._candidates(name.name))
        if not found:
            raise self._undeclared(name)
        first = found[0][1]
        if any(other != first for _, other in found[1:]):
            raise self._ambiguous(name, {full for full, _ in found})
        return first

    def _ambiguous(self, name: Name, full: set[str]) -> Exception:
        hint = f"write the one that you mean: {' or '.join(sorted(full))}"
        if len(full) == 1:
            hint = "two included files have the same name: rename one of them"
        return problem(
            name.span, f"'{name.name}' is defined by several included files", hint=hint, text=self.text
        )

    def _candidates(self, name: str) -> Iterator[tuple[str, Meaning]]:
        """Definitions in included files that a name may refer to, by their full names."""
        stem, _, plain = name.rpartition("::")
        for scope in [self, *self.reachable()] if stem else self.reachable():
            if plain in scope.own and stem in ("", scope.stem):
                yield f"{scope.stem}::{plain}", scope.own[plain]

    def reachable(self) -> Iterable[Scope]:
        """The files that this file includes, directly or indirectly, each once."""
        found: dict[int, Scope] = {}
        waiting = [*reversed(self.included)]
        while waiting:
            scope = waiting.pop()
            if id(scope) not in found:
                found[id(scope)] = scope
                waiting += reversed(scope.included)
        return found.values()

    def names(self) -> set[str]:
        """All names that can be used here."""
        known = RELATIONS | PREDICATES | SYNONYMS.keys() | self.own.keys()
        for scope in self.reachable():
            known = known | scope.own.keys() | {f"{scope.stem}::{name}" for name in scope.own}
        return set(known)

    def _undeclared(self, name: Name) -> Exception:
        if name.name in self.later:
            line = self.later[name.name]
            hint = f"it is defined on line {line}: move that up, or use 'rec' if it refers to itself"
        else:
            hint = did_you_mean(name.name, self.names()) or (
                "define it with let before this line, or declare it with relation or predicate"
            )
        return problem(name.span, f"unknown name '{name.name}'", hint=hint, text=self.text)
