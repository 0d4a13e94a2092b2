"""Checks that what a litmus test asks about exists: its threads, variables of C, elements of arrays."""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.errors import Place, SourceError
from mazurka.litmus.meaning.conditions import atoms
from mazurka.litmus.meaning.test import Language, LitmusTest
from mazurka.litmus.meaning.values import Location, Observed, RegisterOf
from mazurka.litmus.text.problems import Source, closest


def check_names(test: LitmusTest, source: Source) -> None:
    """Refuses registers of threads, variables and elements that are not there: they would always be 0."""
    for observed, place in _named(test):
        error = _problem(test, source, observed, place)
        if error is not None:
            raise error


def _named(test: LitmusTest) -> Iterator[tuple[Observed, Place]]:
    yield from ((given.register, given.place) for given in test.registers)
    for atom in (*atoms(test.filter), *atoms(test.condition.proposition)):
        yield atom.left, atom.place
        if isinstance(atom.right, RegisterOf | Location):
            yield atom.right, atom.place
    yield from ((shown, test.condition.place) for shown in test.shown)


def _problem(test: LitmusTest, source: Source, observed: Observed, place: Place) -> SourceError | None:
    at, length = source.offset(place), len(str(observed))
    if isinstance(observed, Location):
        known = next((x for x in test.locations if x.name == observed.name), None)
        count = len(known.values) if known else 1
        if observed.index is None or 0 <= observed.index < count:
            return None
        message = f"there is no {observed}: {observed.name} has {count} elements"
        return source.problem(at, message, hint="declare a larger array in the initial state", length=length)
    if observed.thread >= len(test.threads):
        message = f"there is no thread {observed.thread}"
        hint = f"threads are numbered from 0 to {len(test.threads) - 1}"
        return source.problem(at, message, hint=hint, length=length)
    variables = test.threads[observed.thread].variables
    is_c = test.language in (Language.C11, Language.KERNEL)
    if not is_c or observed.register in variables or any(g.register == observed for g in test.registers):
        return None
    message = f"P{observed.thread} has no variable '{observed.register}'"
    hint = closest(observed.register, variables, f"ask about one of: {', '.join(variables) or 'none'}")
    return source.problem(at, message, hint=hint, length=length)
