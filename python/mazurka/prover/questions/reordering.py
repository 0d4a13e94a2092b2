"""Reordering by name: whether a model depends on the program order of some pairs of accesses.

Implements thesis §3.4.2 and §3.7: the model is compared with a variant of itself in which program order lacks
these pairs. If the variant forbids all that the model forbids, neighbours of these kinds may be swapped: the
model requires of the changed program no more than the variant requires of the original. Departs 1: pairs that
access one location stay in order, because only accesses of different locations may be swapped; the thesis
adds an axiom for these instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from mazurka.errors import ErrorCode, MazurkaError, ModelError, Place, UsageError
from mazurka.kat.language.load import load_text, named_model
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.parts import replaced, signed_leaves
from mazurka.kat.meaning.terms import Relation
from mazurka.prover.questions.topics import Topic, compared

_PO = terms.Base("po")
# Exactly a mode, as a test of the language, in which ACQ means "at least acquire".
_MODES = {
    "na": "NA",
    "rlx": "RLX",
    "acq": r"ACQ \ (REL | SC)",
    "rel": r"REL \ (ACQ | SC)",
    "acqrel": r"(ACQ & REL) \ SC",
    "sc": "SC",
}
_KINDS = {"R": r"(R & NEXCL) \ UX", "W": "W & NEXCL", "F": "F"}  # instructions of their own
_KIND = re.compile(rf"(?P<kind>[RWF])(?:\.(?P<mode>{'|'.join(_MODES)}))?")
_OTHER_MODE = re.compile(r"[RWF]\.(?P<mode>\w+)")
_EXAMPLE = "name two kinds of event, for example 'R.rlx ; W.rlx', 'W ; R' or '[W & RLX] ; [F & ACQ]'"
# Relations that depend on program order in another way than by containing it.
_NOT_REPLACED = ("po-imm",)


def may_reorder(given: str, pattern: str) -> Topic:
    """Whether neighbours of two kinds, to different locations, may be swapped."""
    first, second = _tests(pattern)
    model = named_model(given)
    variant = _without(model, first, second)
    shown = " before ".join(part.strip() for part in pattern.split(";"))
    return compared(model, variant, f"{model.name} does not need the program order of {shown}")


def _tests(pattern: str) -> tuple[terms.Test, terms.Test]:
    parts = [part.strip() for part in pattern.split(";")]
    if len(parts) != 2:
        raise UsageError(ErrorCode.USAGE, f"'{pattern}' is not a pair of events", hint=_EXAMPLE)
    return _test(parts[0], pattern), _test(parts[1], pattern)


def _test(part: str, pattern: str) -> terms.Test:
    match = _KIND.fullmatch(part)
    if match is not None:
        mode = f" & ({_MODES[match['mode']]})" if match["mode"] else ""
        part = f"[({_KINDS[match['kind']]}){mode}]"
    elif (other := _OTHER_MODE.fullmatch(part)) is not None:
        message = f"'{pattern}' has an unknown access mode, '{other['mode']}'"
        raise UsageError(ErrorCode.USAGE, message, hint=f"the modes are: {', '.join(_MODES)}; {_EXAMPLE}")
    try:
        found = load_text(f"let kind = {part}", require_axioms=False).definitions["kind"]
    except MazurkaError as error:
        raise UsageError(
            ErrorCode.USAGE, f"'{part}' in '{pattern}' is not a kind of event: {error.message}", hint=_EXAMPLE
        ) from error
    if isinstance(found, terms.Guard):
        return found.test
    if isinstance(found, terms.Test):
        return found
    raise UsageError(ErrorCode.USAGE, f"'{part}' in '{pattern}' is a relation, not a kind", hint=_EXAMPLE)


def _without(model: terms.Model, first: terms.Test, second: terms.Test) -> terms.Model:
    """The model with ``po`` replaced by the rest of it."""
    kept = terms.Union(
        terms.Union(
            terms.Sequence(terms.Guard(terms.Not(first)), _PO),
            terms.Sequence(_PO, terms.Guard(terms.Not(second))),
        ),
        terms.Base("po-loc"),
    )
    for axiom in model.axioms:
        for name in _unfit(axiom.relation, model.views):
            raise _not_replaceable(axiom, name)
    return replace(
        model,
        name=f"{model.name} without that order",
        axioms=tuple(replace(axiom, relation=replaced(axiom.relation, _PO, kept)) for axiom in model.axioms),
        views={name: replaced(body, _PO, kept) for name, body in model.views.items()},
        errors=tuple(replace(rule, constraint=_changed(rule.constraint, kept)) for rule in model.errors),
    )


def _changed(claim: terms.Inclusion, kept: Relation) -> terms.Inclusion:
    return replace(claim, left=replaced(claim.left, _PO, kept), right=replaced(claim.right, _PO, kept))


def _not_replaceable(axiom: terms.Axiom, name: str) -> ModelError:
    return ModelError(
        ErrorCode.BAD_MODEL,
        f"the axiom {axiom.name} uses {name}, so a smaller program order may make it stronger",
        place=Place(axiom.span.path, axiom.span.line, axiom.span.column),
        hint="compare the model with one of yours that has the smaller order: mazurka prove equivalent A B",
    )


def _unfit(term: Relation, views: dict[str, Relation]) -> Iterator[str]:
    """Where a term is not larger the larger program order is."""
    for leaf, grows in signed_leaves(term, views):
        match leaf:
            case terms.Base("po") if not grows:
                yield "po to the right of \\"
            case terms.Base(name) if name in _NOT_REPLACED:
                yield name
