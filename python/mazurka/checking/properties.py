"""Properties as SV-COMP states them: what counts as a violation, and what an answer says about one.

A property file has one formula per line: ``CHECK( init(main()), LTL(G ! call(reach_error())) )``. With a
property, the program is read as SV-COMP reads it (``Dialect.target``): what the property does not speak of,
such as a failed assertion or ``abort``, ends the thread, and threads that wait for ever are no violation.

I1: a property holds only if every formula was checked in every execution.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple, NoReturn

from mazurka.cache.plans import ChosenModel, ReadyPlan, plan_for
from mazurka.checking.bounds import Cut
from mazurka.checking.outcome import Outcome
from mazurka.errors import ErrorCode, Place, UsageError
from mazurka.files import read_regular
from mazurka.spelling import hint_about

_CHECK = re.compile(r"CHECK\(\s*init\(\s*main\(\)\s*\)\s*,\s*LTL\((?P<formula>.*)\)\s*\)")
_CALL = re.compile(r"G\s*!\s*call\(\s*(?P<name>[A-Za-z_]\w*)\(\)\s*\)")
_OVERFLOW = "G ! overflow"
# Formulas, with the kinds of violation that break them.
_KINDS = {
    "G ! data-race": ("race",),
    "G valid-free": ("double-free", "invalid-free"),
    "G valid-deref": ("unallocated", "freed"),
    _OVERFLOW: ("overflow",),
    **dict.fromkeys(("G valid-memtrack", "G valid-memcleanup"), ("leak",)),
}
_REFUSED = {
    "F end": "whether every execution ends is not decided",
}
_MEMORY = ("G valid-free", "G valid-deref", "G valid-memtrack")
# The names that SV-COMP's files have; a file need not exist for these.
NAMED = {
    "unreach-call": ("G ! call(reach_error())",),
    "no-data-race": ("G ! data-race",),
    "no-overflow": (_OVERFLOW,),
    "valid-memsafety": _MEMORY,
    "valid-memcleanup": ("G valid-memcleanup",),
}
_NAMES = {formulas: name for name, formulas in NAMED.items()}


class Decision(NamedTuple):
    """What is known about the property that was asked for."""

    name: str
    specification: str
    holds: bool | None  # None: neither proved nor refuted


class Property(NamedTuple):
    """What is to be checked."""

    name: str
    formulas: tuple[str, ...]
    target: str  # the function that must not be called, or none
    kinds: frozenset[str]  # of violations that break it

    @property
    def model(self) -> str:
        """The model that SV-COMP has in mind: interleavings; for races, that of C."""
        return "rc11" if "race" in self.kinds else "sc"

    @property
    def undefined(self) -> bool:
        """Whether it is about what only ``--undefined`` looks for."""
        return "overflow" in self.kinds

    @property
    def leaks(self) -> str:
        """What is to be done about memory that is not freed, as the engine calls it."""
        if "G valid-memcleanup" in self.formulas:
            return "all-forbidden"
        return "forbidden" if "leak" in self.kinds else "ignored"

    @property
    def specification(self) -> str:
        """The property as its file says it."""
        return "\n".join(f"CHECK( init(main()), LTL({formula}) )" for formula in self.formulas)


def read_property(given: str | os.PathLike[str]) -> Property:
    """Understands a property file, or the name of one of SV-COMP's."""
    path = os.fspath(given)
    if path in NAMED:
        return _property(path, NAMED[path], path)
    try:
        text = read_regular(path).decode()
    except (OSError, ValueError):  # also: it is no text
        names = ", ".join(NAMED)
        hint = hint_about(path, NAMED, f"give a property file, or one of these names: {names}")
        raise UsageError(ErrorCode.MISSING_FILE, f"'{path}' is not a property file", hint=hint) from None
    formulas = []
    for number, line in enumerate(text.splitlines(), 1):
        stated = _CHECK.fullmatch(line.strip())
        if stated is None and line.strip():
            _complain(Place(path, number), f"'{line.strip()}' is not a property that can be checked")
        if stated is not None:
            formulas.append(" ".join(stated["formula"].split()))
    if not formulas:
        _complain(Place(path, 1), "there is no property in this file")
    name = _NAMES.get(tuple(formulas)) or os.path.splitext(os.path.basename(path))[0]
    return _property(name, tuple(formulas), path)


def _property(name: str, formulas: tuple[str, ...], path: str) -> Property:
    target, kinds = "", set[str]()
    for formula in formulas:
        call = _CALL.fullmatch(formula)
        if call is not None and not target:
            target = call["name"]
            kinds.add("assertion")
        elif call is None and formula in _KINDS:
            kinds.update(_KINDS[formula])
        else:
            why = _REFUSED.get(formula, "only one function may be named" if call else "it is not known")
            _complain(Place(path), f"the property '{formula}' is not supported: {why}")
    return Property(name, formulas, target, frozenset(kinds))


def _complain(place: Place, message: str) -> NoReturn:
    hint = "check for 'G ! call(reach_error())', " + ", ".join(f"'{formula}'" for formula in _KINDS)
    raise UsageError(ErrorCode.UNSUPPORTED, message, place=place, hint=hint)


def judged(
    outcome: Outcome, wanted: Property, model: ChosenModel, plan: ReadyPlan, *, spared: bool
) -> Outcome:
    """What an outcome says about a property, which must be one that the model can break.

    Memory may have been ``spared``: it is not known whether something leads to it.
    """
    rules = plan.rules or plan_for(model, None).rules  # a program may have nothing that could race
    if "race" in wanted.kinds and not any(rule.name == "race" for rule in rules):
        message = f"'{wanted.name}' is about data races, and the model '{model.name}' has no rule for them"
        raise UsageError(ErrorCode.BAD_VALUE, message, hint="use --model rc11, or leave --model out")
    if outcome.violation is not None:
        decision = Decision(wanted.name, wanted.specification, holds=None)
        if outcome.violation.kind in wanted.kinds:
            return outcome._replace(decision=decision._replace(holds=False))
        said = f"the property '{wanted.name}' is not about this violation, and is neither proved nor refuted"
        return outcome._replace(decision=decision, warnings=(*outcome.warnings, said))
    if outcome.verdict == "verified" and spared and "G valid-memtrack" in wanted.formulas:
        cut = Cut("property", "G valid-memtrack", "", 0, 0)
        outcome = outcome._replace(verdict="bounded", bounds=(*outcome.bounds, cut))
    holds = True if outcome.verdict == "verified" else None
    return outcome._replace(decision=Decision(wanted.name, wanted.specification, holds))
