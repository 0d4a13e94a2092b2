"""Tests as sets of event classes, and which classes the two ends of each built-in relation can have.

I1: a set of classes is a bit mask over ``plan.CLASSES``. An event has exactly one class, so a test is one
mask, and boolean operations on tests are bit operations.
"""

from __future__ import annotations

from collections.abc import Callable

from mazurka.errors import ErrorCode, ModelError, Place
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.parts import has_fixpoint
from mazurka.kat.meaning.plan import (
    CLASSES,
    EVERY_CLASS,
    MACHINE_FENCES,
    MACHINE_READS,
    MACHINE_WRITES,
    Symbol,
)


def classes_where(accepts: Callable[[str], bool]) -> int:
    """The mask of the classes whose name is accepted."""
    return sum(1 << index for index, name in enumerate(CLASSES) if accepts(name))


def _with_mode(kinds: str, *modes: str) -> int:
    return classes_where(lambda name: name[0] in kinds and name.split(".")[1:2] in [[m] for m in modes])


INIT = classes_where(lambda name: name == "INIT")
READS = classes_where(lambda name: name.startswith("R."))
WRITES = classes_where(lambda name: name.startswith("W.")) | INIT
FENCES = classes_where(lambda name: name.startswith("F."))
EXCLUSIVE_READS = classes_where(lambda name: name.startswith("R.") and name.endswith(".rmw"))
FAILED_READS = classes_where(lambda name: name.startswith("R.") and name.endswith(".failed"))
EXCLUSIVE_WRITES = classes_where(lambda name: name.startswith("W.") and name.endswith(".rmw"))
ALLOCATIONS = classes_where(lambda name: name == "ALLOC")
FREES = classes_where(lambda name: name == "FREE")
CREATIONS = classes_where(lambda name: name == "CREATE")
JOINS = classes_where(lambda name: name == "JOIN")
MEETINGS = classes_where(lambda name: name == "BARRIER")
OF_MACHINES = classes_where(lambda name: name in (*MACHINE_READS, *MACHINE_WRITES, *MACHINE_FENCES))
CHOICES = classes_where(lambda name: name == "CHOOSE")
ACCESSES = READS | WRITES
SRCU = classes_where(lambda name: name.startswith("F.srcu-"))
EVENTS = EVERY_CLASS & ~INIT  # the classes of events in program order

PREDICATES: dict[str, int] = {
    "R": READS,
    "W": WRITES,
    "F": FENCES,
    "INIT": INIT,
    "UR": EXCLUSIVE_READS,
    "UW": EXCLUSIVE_WRITES,
    "UX": FAILED_READS,
    "EXCL": EXCLUSIVE_READS | EXCLUSIVE_WRITES,
    "NEXCL": ACCESSES & ~(EXCLUSIVE_READS | EXCLUSIVE_WRITES),
    "NA": _with_mode("RW", "na"),
    "RLX": _with_mode("RWF", "rlx"),
    "ACQ": _with_mode("RF", "acq", "aqrl", "acqrel", "sc") | _with_mode("R", "lock"),
    "REL": _with_mode("WF", "rel", "aqrl", "acqrel", "sc", "unlock"),
    "SC": _with_mode("RWF", "sc"),
    "ACQPC": _with_mode("R", "pc"),
    "AQ": _with_mode("R", "acq", "aqrl") | _with_mode("W", "aq", "aqrl"),
    "RL": _with_mode("R", "rl", "aqrl") | _with_mode("W", "rel", "aqrl"),
    "NORET": _with_mode("R", "noret"),
    "SUCCESS": _with_mode("R", "success"),
    "LOCK": _with_mode("RW", "lock"),
    "UNLOCK": _with_mode("W", "unlock"),
    **{name: 1 << CLASSES.index(name) for name in MACHINE_FENCES},
    "TC": CREATIONS,
    "TJ": JOINS,
    "BARRIER": MEETINGS,
    "ALLOC": ALLOCATIONS,
    "FREE": FREES,
    "LOC": ACCESSES,
    # Events that our graphs do not have.
    "TB": 0,
    "TE": 0,
    "TK": 0,
    "HPRET": 0,
    "HPPROT": 0,
    "NOTHPPROT": 0,
}

SYMBOLS: dict[str, Symbol] = {
    "po": Symbol.PO,
    "po-imm": Symbol.PO_IMM,
    "po-loc": Symbol.PO_LOC,
    "rf": Symbol.RF,
    "rfe": Symbol.RFE,
    "rfi": Symbol.RFI,
    "co": Symbol.CO,
    "coe": Symbol.COE,
    "coi": Symbol.COI,
    "mo": Symbol.CO,
    "moe": Symbol.COE,
    "moi": Symbol.COI,
    "fr": Symbol.FR,
    "fre": Symbol.FRE,
    "fri": Symbol.FRI,
    "rmw": Symbol.RMW,
    "same-thread": Symbol.SAME_THREAD,
    "loc-overlap": Symbol.LOC_OVERLAP,
    "tc": Symbol.TC,
    "tj": Symbol.TJ,
    "any": Symbol.ANY,
    "alloc": Symbol.ALLOC,
    "free": Symbol.FREE,
    "addr": Symbol.ADDR,
    "data": Symbol.DATA,
    "ctrl": Symbol.CTRL,
    "si": Symbol.SI,
    "same-domain": Symbol.SAME_DOMAIN,
}

_REAL_ACCESSES = ACCESSES & ~INIT
_REAL_WRITES = WRITES & ~INIT
# The classes that the first and the second event of a pair can have. Initial writes belong to no thread, so
# internal halves do not contain them, and nothing comes before them.
DOMAINS: dict[int, tuple[int, int]] = {
    Symbol.PO: (EVENTS, EVENTS),
    Symbol.PO_IMM: (EVENTS, EVENTS),
    Symbol.PO_IMM_LOC: (_REAL_ACCESSES, _REAL_ACCESSES),
    Symbol.PO_IMM_ELSEWHERE: (EVENTS, EVENTS),
    Symbol.PO_LOC: (_REAL_ACCESSES, _REAL_ACCESSES),
    Symbol.RF: (WRITES, READS),
    Symbol.RFE: (WRITES, READS),
    Symbol.RFI: (_REAL_WRITES, READS),
    Symbol.CO: (WRITES, _REAL_WRITES),
    Symbol.COE: (WRITES, _REAL_WRITES),
    Symbol.COI: (_REAL_WRITES, _REAL_WRITES),
    Symbol.FR: (READS, _REAL_WRITES),
    Symbol.FRE: (READS, _REAL_WRITES),
    Symbol.FRI: (READS, _REAL_WRITES),
    Symbol.RMW: (EXCLUSIVE_READS, EXCLUSIVE_WRITES),
    Symbol.SAME_THREAD: (EVENTS, EVENTS),
    Symbol.LOC_OVERLAP: (_REAL_ACCESSES, _REAL_ACCESSES),
    Symbol.TC: (CREATIONS, EVENTS),
    Symbol.TJ: (EVENTS, JOINS),
    Symbol.ANY: (EVERY_CLASS, EVERY_CLASS),
    Symbol.ALLOC: (ALLOCATIONS, _REAL_ACCESSES),
    Symbol.FREE: (FREES, _REAL_ACCESSES),
    Symbol.ADDR: (READS, _REAL_ACCESSES),
    Symbol.DATA: (READS, _REAL_WRITES),
    Symbol.CTRL: (READS, EVENTS),
    Symbol.SI: (EVERY_CLASS, EVERY_CLASS),
    Symbol.SAME_DOMAIN: (SRCU, SRCU),
}


def domain(symbol: int, inverse: bool = False) -> tuple[int, int]:
    """The classes of the first and second event of a pair; a view's pairs are within (po | rf)+."""
    unlisted = (ACCESSES, _REAL_ACCESSES) if symbol >= Symbol.VIEW_LOC else (EVERY_CLASS, EVENTS)
    before, after = DOMAINS.get(symbol, unlisted)
    return (after, before) if inverse else (before, after)


def classes_of_test(test: terms.Test, span: terms.Span | None = None) -> int:
    """The classes of the events that pass a test; refuses predicates that do not depend on the class."""
    match test:
        case terms.Anything():
            return EVERY_CLASS
        case terms.Primitive(name):
            if name not in PREDICATES:
                raise unsupported(f"the predicate {name}", span)
            return PREDICATES[name]
        case terms.Not(body):
            return EVERY_CLASS & ~classes_of_test(body, span)
        case terms.Both(left, right):
            return classes_of_test(left, span) & classes_of_test(right, span)
        case terms.Either(left, right):
            return classes_of_test(left, span) | classes_of_test(right, span)


def symbol_of(name: str, span: terms.Span | None = None) -> Symbol:
    """The symbol of a built-in relation; refuses one that graphs do not have yet."""
    if name not in SYMBOLS:
        raise unsupported(f"the relation {name}", span)
    return SYMBOLS[name]


def place_of(span: terms.Span | None) -> Place | None:
    """A span as the place that errors show."""
    return None if span is None else Place(span.path, span.line, span.column)


def unsupported(what: str, span: terms.Span | None) -> ModelError:
    """The error for a name that the language has but graphs do not."""
    return ModelError(
        ErrorCode.BAD_MODEL,
        f"{what} cannot be evaluated on execution graphs yet",
        place=place_of(span),
        hint="`mazurka prove` accepts it; a model that is run cannot use it in axioms, views or error rules",
    )


def rotation(span: terms.Span | None) -> ModelError:
    """The error for the rotational closure, which is for proofs."""
    return ModelError(
        ErrorCode.BAD_MODEL,
        "rot is only for the prover: a model that is run cannot use it",
        place=place_of(span),
        hint="write the rotations out as a union",
    )


def refuse_fixpoint(term: terms.Relation, stated: terms.Axiom | terms.ErrorRule, who: str) -> None:
    """Refuses a fixpoint in an axiom or a rule on behalf of what evaluates only regular terms."""
    if has_fixpoint(term):
        raise ModelError(
            ErrorCode.BAD_MODEL,
            f"{who} cannot use {stated.name}: no regular solution of its recursion was found",
            place=place_of(stated.span),
            hint="use each recursive name once, at the right end of a composition in all places or at the "
            "left end in all: let rec x = r | r ; x; for 'one or more times' write r+",
        )


# For messages: the fewest predicates whose union is the mask.
_NAMES = (
    "R",
    "W",
    "F",
    "LOC",
    "UR",
    "UW",
    "UX",
    "NA",
    "ACQ",
    "REL",
    "SC",
    "RLX",
    "TC",
    "TJ",
    "BARRIER",
    "ALLOC",
    "FREE",
)


def describe(mask: int) -> str:
    """A set of classes as a test of the model language, with class names where no predicate fits.

    What only machines have is left out, unless there is nothing else.
    """
    known = EVERY_CLASS & ~OF_MACHINES if mask & ~OF_MACHINES else EVERY_CLASS
    mask &= known
    if mask & EVENTS == EVENTS & known:
        return ""
    named = {name: PREDICATES[name] & known for name in _NAMES}
    for kind in ("R", "W", "F"):
        for mode in ("NA", "RLX", "ACQ", "REL", "SC"):
            both = PREDICATES[kind] & PREDICATES[mode] & known
            if both:
                named[f"{kind}&{mode}"] = both
    for prefix in {name.rpartition(".")[0] for name in CLASSES if name.count(".") == 2}:
        named[prefix] = sum(1 << index for index, name in enumerate(CLASSES) if name.startswith(f"{prefix}."))
    parts: list[str] = []
    left = mask & ~INIT
    while left:
        fitting = [
            (-(m & left).bit_count(), len(n), n, m) for n, m in named.items() if m & ~INIT & ~mask == 0
        ]
        best = min(fitting, default=(0, 0, "", 0))
        if best[0] == 0:
            parts += [name for index, name in enumerate(CLASSES) if left >> index & 1]
            break
        parts.append(best[2])
        left &= ~best[3]
    if mask & INIT and not any(named.get(part, 0) & INIT for part in parts):
        parts.append("INIT")
    return "[" + "|".join(parts) + "]"
