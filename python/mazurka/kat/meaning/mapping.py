"""Compilation mappings: rewrites a Program so that C's accesses and fences become those of a hardware model.

A rule such as ``map store.sc "store.sc ; fence.sc"`` says what an access of a kind and mode becomes: itself,
in that or another mode, with fences before and after it.
Departs 1 (from libraries of machines): operations on synchronisation objects keep their modes, and get the
fences of a read-modify-write or a store of these modes.
Departs 2: a plain access may change its mode but gets no fence, because accesses to private memory are plain,
too, and they make no events that a fence could stand next to.
Departs 3: the fences behind a compare-exchange are there whether it fails or not. If only its failure
acquires, it gets those of a read-modify-write that does.
What the source says stays with each instruction (``Instr.source``), for rules about the source.
I1: a jump to an access goes to the first of the fences that were put before it (``rewrite``).
I2: the read of a failing compare-exchange gets its mode from the success mode if that changes; otherwise it
keeps its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mazurka.errors import ErrorCode, ModelError
from mazurka.program import Instr, Mode, Op, Program, Source
from mazurka.program.flow.rewriting import rewrite
from mazurka.program.sync import Operation

_MODES = {
    "na": Mode.NA,
    "rlx": Mode.RLX,
    "acq": Mode.ACQ,
    "rel": Mode.REL,
    "acqrel": Mode.ACQ_REL,
    "sc": Mode.SC,
}
_ALLOWED = {
    "load": ("na", "rlx", "acq", "sc"),
    "store": ("na", "rlx", "rel", "sc"),
    "rmw": ("rlx", "acq", "rel", "acqrel", "sc"),
    "fence": ("acq", "rel", "acqrel", "sc"),
}
_KINDS = {
    **dict.fromkeys((Op.LOAD, Op.LOAD_PAIR), "load"),
    **dict.fromkeys((Op.STORE, Op.STORE_PAIR), "store"),
    **dict.fromkeys((Op.RMW, Op.CAS, Op.RMW_PAIR, Op.CAS_PAIR), "rmw"),
    Op.FENCE: "fence",
}
_USAGE = 'write for example: map store.sc "store.sc ; fence.sc"'


class MappingError(ValueError):
    """A rule that cannot be read; a caller that knows its place turns this into a ``ModelError``."""

    def __init__(self, message: str, hint: str = _USAGE) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@dataclass(frozen=True)
class MappingRule:
    """What an access becomes: fences, the access in a mode, fences. For a fence, the last one is itself."""

    kind: str
    mode: Mode
    before: tuple[Mode, ...]
    becomes: Mode
    after: tuple[Mode, ...]


_Rules = dict[tuple[str, Mode], MappingRule]


def read_rule(name: str, text: str) -> MappingRule:
    """The rule of a ``map`` statement."""
    kind, mode = _element(name)
    elements = [_element(part.strip()) for part in text.split(";")]
    same = [i for i, (k, _) in enumerate(elements) if k == kind]
    if not same or (len(same) > 1 and kind != "fence"):
        count = f"{len(same)}" if same else "none"
        raise MappingError(f"the mapping of '{name}' must have one {kind}, but it has {count}")
    for other, _ in elements:
        if other not in (kind, "fence"):
            raise MappingError(
                f"the mapping of '{name}' cannot contain a {other}", "only fences may be added"
            )
    centre = same[-1]
    before, after = elements[:centre], elements[centre + 1 :]
    if mode == Mode.NA and (before or after):
        raise MappingError(
            "a plain access cannot have fences", "map the atomic accesses, or change the mode only"
        )
    return MappingRule(
        kind, mode, tuple(m for _, m in before), elements[centre][1], tuple(m for _, m in after)
    )


def _element(text: str) -> tuple[str, Mode]:
    kind, _, mode = text.partition(".")
    if kind not in _ALLOWED:
        raise MappingError(f"'{text}' is not an access", f"write {', '.join(f'{k}.MODE' for k in _ALLOWED)}")
    if mode not in _ALLOWED[kind]:
        raise MappingError(f"a {kind} has no mode '{mode}'", f"its modes are {', '.join(_ALLOWED[kind])}")
    return kind, _MODES[mode]


def apply_mapping(program: Program, mapping: Sequence[tuple[str, str]]) -> Program:
    """The program with its accesses and fences rewritten by the rules of a model (``Model.mapping``)."""
    if not mapping:
        return program
    try:
        rules = [read_rule(name, text) for name, text in mapping]
    except MappingError as error:
        raise ModelError(ErrorCode.BAD_MODEL, error.message, hint=error.hint) from error
    by_access = {(rule.kind, rule.mode): rule for rule in rules}

    def rewritten(function: int, pc: int) -> tuple[Instr, ...]:
        instr = program.functions[function].code[pc]
        if instr.op == Op.SYNC:
            return _fenced(instr, program.operations[instr.c], by_access)
        return _rewritten(instr, by_access)

    return rewrite(program, rewritten)


def _fenced(instr: Instr, operation: Operation, rules: _Rules) -> tuple[Instr, ...]:
    """An operation on a synchronisation object, with the fences of what it reads and writes."""
    kind = "store" if operation.reads is None else "rmw"
    released = rules.get((kind, operation.writes))
    acquired = None if operation.reads is None else rules.get((kind, operation.reads))
    return _between(released.before if released else (), instr, acquired.after if acquired else ())


def _rewritten(instr: Instr, rules: _Rules) -> tuple[Instr, ...]:
    kind = _KINDS.get(instr.op, "")
    rule = rules.get((kind, instr.mode))
    is_exchange = instr.op in (Op.CAS, Op.CAS_PAIR)
    failure = rules.get((kind, Mode(instr.x))) if is_exchange else None
    before, after = rule.before if rule else (), rule.after if rule else ()
    if failure is not None and not after:
        after = failure.after
    access = instr
    if rule is not None and rule.becomes != rule.mode:
        source = Source(instr.mode, Mode(instr.x) if is_exchange else Mode.NA)
        access = replace(instr, mode=rule.becomes, source=source)
    if is_exchange and rule is not None and rule.becomes != rule.mode:
        access = replace(access, x=_read_half(rule.becomes))
    return _between(before, access, after)


def _between(before: Iterable[Mode], access: Instr, after: Iterable[Mode]) -> tuple[Instr, ...]:
    """An access with fences of some modes before and after it."""
    return (*(_fence(mode, access) for mode in before), access, *(_fence(mode, access) for mode in after))


def _fence(mode: Mode, beside: Instr) -> Instr:
    return Instr(Op.FENCE, mode=mode, position=beside.position, source=Source())


def _read_half(mode: Mode) -> Mode:
    """The mode of the read of a read-modify-write (docs/reference/bytecode.md)."""
    if mode == Mode.ACQ_REL:
        return Mode.ACQ
    return Mode.RLX if mode == Mode.REL else mode
