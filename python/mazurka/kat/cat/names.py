"""The names that every ``.cat`` file knows, and what they are in Mazurka's graphs.

Accesses and fences stand for instructions of the machines as in the shipped models: acquire loads for LDAR,
release stores for STLR, SC fences for MFENCE, DMB SY and sync. Creation and join of threads order what these
fences order, so they are among them.

I1: a set is empty only if no program can have such events. Names of events that exist but cannot be told
apart are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mazurka.kat.cat import algebra
from mazurka.kat.cat.algebra import EventSet
from mazurka.kat.cat.tags import MB
from mazurka.kat.cat.values import NOTHING, BuiltinFunction, CatValue, Denoted, Sort, a_relation, a_set
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import ACCESSES
from mazurka.kat.meaning.terms import Base, Relation, Test


def _p(*names: str) -> Test:
    found: Test = terms.Primitive(names[0])
    for name in names[1:]:
        found = terms.Both(found, terms.Not(terms.Primitive(name[1:])) if name[0] == "~" else _p(name))
    return found


def _either(*tests: Test) -> Test:
    found = tests[0]
    for test in tests[1:]:
        found = terms.Either(found, test)
    return found


_NONE = terms.Not(terms.Anything())
# ``AMO | X``: accesses of single instructions and of exclusive pairs. Graphs do not tell them apart.
OF_EITHER = _either(_p("UR"), _p("UW"), _p("UX"))
_FULL = _either(_p("F", "SC"), _p("TC"), _p("TJ"))
_DMB = _either(_p("F", "REL"), _p("TC"), _p("TJ"))  # a release fence of C becomes DMB SY, too
_DOMAINS = ("SY", "ISH", "OSH", "NSH")

SETS: dict[str, Test] = {
    "_": terms.Anything(),
    "M": _p("LOC"),
    **dict.fromkeys(("IW", "I"), _p("INIT")),
    **{name: _p(name) for name in ("R", "W", "F", "NA", "RLX", "SC", "UR", "UW", "UX", "TC", "TJ")},
    # C11: each order by itself, where .kat files mean that order or a stronger one
    "ACQ": _p("ACQ", "~REL", "~SC"),
    "REL": _p("REL", "~ACQ", "~SC"),
    "ACQ_REL": _p("ACQ", "REL", "~SC"),
    "CON": _NONE,  # consume is treated as acquire
    # x86
    "MFENCE": _FULL,
    # PowerPC: fences of C that are not SC become lwsync
    "SYNC": _FULL,
    "LWSYNC": terms.Both(_p("F", "~SC"), _either(_p("ACQ"), _p("REL"))),
    "EIEIO": _p("F.w-w"),
    "ISYNC": _p("F.i"),
    # Arm: which observers a fence is about makes no difference, and DSB orders accesses as DMB does
    "L": algebra.RELEASE_STORE,
    "Q": _p("ACQPC"),
    "NoRet": _p("NORET"),
    "ISB": _p("F.i"),
    **{f"{fence}{of}": _DMB for fence in ("DMB", "DSB") for of in ("", *(f".{d}" for d in _DOMAINS))},
    **{f"{f}.{d}": _p("F", "ACQ", "~REL") for f in ("DMB", "DSB") for d in ("LD", "ISHLD", "OSHLD", "NSHLD")},
    **{f"{f}.{d}": _p("F.w-w") for f in ("DMB", "DSB") for d in ("ST", "ISHST", "OSHST", "NSHST")},
    # RISC-V: a load with .aq acquires as LDAPR does; C's fences are those that they are compiled to
    "Acq": _either(_p("AQ", "~RL"), _p("ACQPC")),
    # SC read-modify-writes of C are pairs of lr.aqrl and sc.rl
    "Rel": _either(_p("RL", "~AQ"), _p("UW", "SC")),
    "AcqRel": _either(_p("AQ", "RL"), _p("UR", "SC"), _p("UX", "SC")),
    "Fence.rw.rw": _FULL,
    "Fence.tso": _p("F", "ACQ", "REL", "~SC"),
    "Fence.r.rw": _p("F", "ACQ", "~REL"),
    "Fence.rw.w": _p("F", "REL", "~ACQ"),
    **{
        f"Fence.{pair.replace('-', '.')}": _p(f"F.{pair}")
        for pair in ("r-r", "r-w", "w-r", "w-w", "w-rw", "rw-r")
    },
}
# On RISC-V, what depends on the result of a store conditional depends on the store. In graphs it depends on a
# read beside the store, which models of herd's know nothing of.
_NOT_A_RESULT = terms.Not(_p("SUCCESS"))
_RESULT = algebra.composition(
    algebra.composition(terms.Guard(_p("UW")), Base("po-imm")), terms.Guard(_p("SUCCESS"))
)
_RISCV: dict[str, Denoted] = {
    **{name: a_set(terms.Both(SETS[name], _NOT_A_RESULT)) for name in ("R", "M")},
    **{
        name: a_relation(
            terms.Union(
                terms.Sequence(terms.Guard(_NOT_A_RESULT), Base(name)), terms.Sequence(_RESULT, Base(name))
            )
        )
        for name in ("addr", "data", "ctrl")
    },
}
# Reads and writes by what ``A`` means: an acquire load on Arm, a locked access on x86, atomic accesses in C.
_ATOMIC = {
    "Arm": algebra.ACQUIRE_LOAD,
    "x86": _either(_p("UR"), _p("UW"), _p("UX")),
    "C": terms.Both(_p("LOC"), _either(_p("RLX"), _p("ACQ"), _p("REL"), _p("SC"))),
}
_EVIDENCE: dict[str, tuple[str, ...]] = {
    "Arm": ("L", "Q", "ISB", "DMB", "DSB"),
    "x86": ("MFENCE", "mfence", "x86fences.cat"),
    "C": ("RLX", "ACQ", "REL", "ACQ_REL", "SC", "NA"),
    "RISC-V": ("Fence", "Acq", "Rel", "AcqRel"),
    "PowerPC": ("SYNC", "LWSYNC", "EIEIO", "ISYNC", "sync", "lwsync"),
}


def _scheme(*rules: str) -> tuple[tuple[str, str], ...]:
    return tuple((kind, text) for kind, text in (rule.split(" = ") for rule in rules))


# What compilers make of C's accesses, as in the shipped models. On ARMv8 they are instructions one for one.
_SCHEMES: dict[str, tuple[tuple[str, str], ...]] = {
    "x86": _scheme("store.sc = store.rlx ; fence.sc"),
    "ARMv7": _scheme(
        *("load.acq = load.rlx ; fence.sc", "load.sc = load.rlx ; fence.sc"),
        *("store.rel = fence.sc ; store.rlx", "store.sc = fence.sc ; store.rlx ; fence.sc"),
        *("rmw.acq = rmw.rlx ; fence.sc", "rmw.rel = fence.sc ; rmw.rlx"),
        *(f"rmw.{mode} = fence.sc ; rmw.rlx ; fence.sc" for mode in ("acqrel", "sc")),
    ),
    "RISC-V": _scheme(
        *("load.acq = load.rlx ; fence.acq", "load.sc = fence.sc ; load.rlx ; fence.acq"),
        *(f"store.{mode} = fence.rel ; store.rlx" for mode in ("rel", "sc")),
    ),
    "PowerPC": _scheme(
        *("load.acq = load.rlx ; fence.acq", "load.sc = fence.sc ; load.rlx ; fence.acq"),
        *("store.rel = fence.rel ; store.rlx", "store.sc = fence.sc ; store.rlx"),
        *("rmw.acq = rmw.rlx ; fence.acq", "rmw.rel = fence.rel ; rmw.rlx"),
        *("rmw.acqrel = fence.rel ; rmw.rlx ; fence.acq", "rmw.sc = fence.sc ; rmw.rlx ; fence.acq"),
    ),
}
_OF_ARMV8 = frozenset("ALQ")

RELATIONS: dict[str, Relation] = {
    **{name: Base(name) for name in ("po", "po-loc", "rmw", "addr", "data", "ctrl", "si")},
    **{name + half: Base(name + half) for name in ("rf", "co", "fr") for half in ("", "e", "i")},
    "id": terms.Identity(),
    "loc": algebra.SAME_LOCATION,
    "int": algebra.INTERNAL,
    "ext": algebra.EXTERNAL,
    "amo": algebra.ONE,
    "lxsx": algebra.TWO,
    "com": terms.Union(terms.Union(Base("rf"), Base("co")), Base("fr")),
}

_TELLS = "Mazurka's graphs do not tell these events apart"
UNSUPPORTED: dict[str, str] = {
    **dict.fromkeys(
        ("SFENCE", "LFENCE"), "they order nothing in the shipped model of x86, and are no events"
    ),
    **dict.fromkeys(("X", "AMO", "P", "RMW", "B", "BR", "J", "Fence.i"), _TELLS),
    **dict.fromkeys(("iico_data", "iico_ctrl", "iico_order", "same-instr", "partial_po", "depend"), _TELLS),
    **dict.fromkeys(
        ("cross", "map", "fold", "linearisations", "classes-loc", "partition", "generate_cos"),
        "sets of sets are not supported",
    ),
    **dict.fromkeys(("tag2instrs", "tag2scope", "tag2level"), _TELLS),
}


_HALF_BEFORE, _HALF_AFTER = terms.Guard(_p("UR", "SC")), terms.Guard(_p("UW", "SC"))


def fence_relation(events: EventSet) -> Relation:
    """``fencerel(S)``: from before a fence to behind it."""
    po, guard = Base("po"), algebra.as_relation(events)
    through = algebra.composition(algebra.composition(po, guard), po)
    if events != MB:
        return through
    # In the kernel, there are full fences before and behind a read-modify-write that is fully ordered.
    before = algebra.composition(algebra.composition(po, _HALF_BEFORE), terms.Maybe(po))
    behind = algebra.composition(algebra.composition(terms.Maybe(po), _HALF_AFTER), po)
    return terms.Union(terms.Union(through, before), behind)


_FENCES = {"mfence": "MFENCE", "sync": "SYNC", "lwsync": "LWSYNC", "dmb": "DMB.SY", "dsb": "DSB.SY"}
# Files of herd's, and what they define that is not built in anyway. They are not read.
LIBRARY: dict[str, dict[str, Denoted]] = {
    **{name: {} for name in ("stdlib.cat", "cos.cat", "cos-no-opt.cat", "cos-opt.cat", "filters.cat")},
    **{name: {} for name in ("cross.cat", "lock.cat")},  # co, and the kernel's locks, are built in
    "x86fences.cat": {"mfence": a_relation(fence_relation(SETS["MFENCE"]))},
    "fences.cat": {name: a_relation(fence_relation(SETS[fence])) for name, fence in _FENCES.items()},
    "aarch64fences.cat": {
        f"{fence}.{name}": a_set(SETS[f"{fence.upper()}.{domain}"])
        for fence in ("dmb", "dsb")
        for name, domain in (("full", "SY"), ("ld", "LD"), ("st", "ST"))
    },
}


def _control_fence(events: EventSet) -> Relation:
    guard = algebra.as_relation(events)
    return algebra.composition(algebra.composition(Base("ctrl"), guard), Base("po"))


def _of_relation(name: str, make: Callable[[Relation], Denoted | None]) -> BuiltinFunction:
    return BuiltinFunction(name, Sort.RELATION, lambda given: make(algebra.as_relation(given)))


def _filter(first: Test, second: Test) -> Callable[[Relation], Denoted]:
    return lambda body: a_relation(algebra.meet(body, algebra.product(first, second)))


def builtin_of(name: str, used: Iterable[str]) -> CatValue | None:
    """What a built-in name means; ``used`` has the names that occur in the model's files."""
    if name in ("0", "emptyset"):
        return NOTHING
    if name in _RISCV and "RISC-V" in _machines(used):
        return _RISCV[name]
    if name in RELATIONS:
        return a_relation(RELATIONS[name])
    if name == "FW":  # the last write of each location
        last = terms.Difference(terms.Guard(_p("W")), algebra.as_relation(algebra.domain(Base("co"))))
        return a_set(last)
    test = SETS.get(name) or (atomic(used) if name == "A" else None)
    return FUNCTIONS.get(name) or _filters(name, used) if test is None else a_set(test)


def scheme_of(used: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """What C's accesses become under a model of the machine whose names it uses, if that is clear."""
    names = frozenset(used)
    found = _machines(names - {"Q"} if "RISC-V" in _machines(names) else names)  # there, Q is lw.aq
    if found == ["Arm"] and not names & _OF_ARMV8:
        found = ["ARMv7"]
    return _SCHEMES.get(found[0], ()) if len(found) == 1 else ()


def atomic(used: Iterable[str]) -> Test | None:
    """What ``A`` means in a model that uses some names; None if they do not say it."""
    found = _machines(used)
    return _ATOMIC.get(found[0]) if len(found) == 1 else None


def _machines(used: Iterable[str]) -> list[str]:
    """The machines whose names a model uses."""
    named = {name.split(".")[0] if name.startswith(("DMB", "DSB", "Fence")) else name for name in used}
    return [kind for kind, names in _EVIDENCE.items() if named & {*names}]


def _filters(name: str, used: Iterable[str]) -> BuiltinFunction | None:
    """``WR(r)``: the pairs of a relation from a write to a read; of herd's filters.cat."""
    if len(name) != 2 or not set(name) <= set("RWMA"):
        return None
    sides = [atomic(used) if letter == "A" else SETS[letter] for letter in name]
    if sides[0] is None or sides[1] is None:
        return None
    return _of_relation(name, _filter(sides[0], sides[1]))


def _has_no_values(body: Relation) -> bool:
    """Whether no pair is of two accesses, as critical sections of SRCU are of fences."""
    first, last = algebra.ends(body)
    return not (first & ACCESSES and last & ACCESSES)


FUNCTIONS: dict[str, BuiltinFunction] = {
    "domain": _of_relation("domain", lambda body: a_set(algebra.domain(body))),
    "range": _of_relation("range", lambda body: a_set(algebra.range_of(body))),
    "noid": _of_relation("noid", lambda body: a_relation(terms.Difference(body, terms.Identity()))),
    **{
        name: _of_relation(name, lambda body: a_relation(terms.Empty()) if _has_no_values(body) else None)
        for name in ("different-values", "same-values")
    },
    "fencerel": BuiltinFunction("fencerel", Sort.SET, lambda s: a_relation(fence_relation(s))),
    "ctrlcfence": BuiltinFunction("ctrlcfence", Sort.SET, lambda s: a_relation(_control_fence(s))),
    "toid": BuiltinFunction("toid", Sort.SET, lambda s: a_relation(algebra.as_relation(s))),
}
KNOWN = {*SETS, *RELATIONS, *FUNCTIONS, "A", "FW", "emptyset"} - {"_"}
