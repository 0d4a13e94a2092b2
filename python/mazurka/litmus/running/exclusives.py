"""Exclusive loads and stores in pairs: such a pair is one read-modify-write, or a load and a failure.

The engine adds the halves of a read-modify-write one after the other, and computes what is written from what
was read. So a pair is recognised if nothing but computations is between its halves, the address is the same,
and what is stored is independent of what was loaded (an exchange), or that and a number (an addition).

I1: addresses are the same if they are in one register, or if each half adds the same two registers (PowerPC
does), and nothing between the halves changes these. The pair uses the address of the load.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mazurka.litmus.meaning.operations import Compute, Load, Operand, Operation, Register, Store
from mazurka.program import Op, RmwOp

_ALL = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class ExclusivePair:
    """A load, computations, and the store; what the store makes of the old value."""

    load: Load
    between: tuple[Compute, ...]
    store: Store
    op: RmwOp
    value: Operand

    @property
    def before(self) -> tuple[Compute, ...]:
        """The computations that do not need the loaded value, with other names for their results."""
        found: list[Compute] = []
        needs = _names(self.load.dst)
        for step in self.between:
            if {x.name for x in (step.a, step.b, step.c) if isinstance(x, Register)} & needs:
                needs |= {step.dst.name}
                continue
            needs -= {step.dst.name}
            a, b, c = (_early(x, found) for x in (step.a, step.b, step.c))
            found.append(replace(step, dst=Register(f"{step.dst.name}%early"), a=a, b=b, c=c))
        return tuple(found)

    @property
    def early_value(self) -> Operand:
        """The operand of the read-modify-write, after the computations ``before``."""
        return _early(self.value, list(self.before))


def _early(operand: Operand, found: Sequence[Compute]) -> Operand:
    """The other name of an operand, if it was computed early."""
    if isinstance(operand, Register):
        early = Register(f"{operand.name}%early")
        if any(step.dst == early for step in found):
            return early
    return operand


def _names(register: Register | None) -> set[str]:
    return {register.name} if register else set()


def pair_at(operations: Sequence[Operation], at: int) -> ExclusivePair | None:
    """The pair that begins with an exclusive load, if there is one."""
    load, between = operations[at], []
    assert isinstance(load, Load)
    for operation in operations[at + 1 :]:
        if isinstance(operation, Compute):
            between.append(operation)
        elif isinstance(operation, Store) and operation.is_exclusive:
            return _paired(load, tuple(between), operation, operations[at - 1] if at else None)
        else:
            break
    return None


def _paired(
    load: Load, between: tuple[Compute, ...], store: Store, first: Operation | None
) -> ExclusivePair | None:
    changed = _names(load.dst) | {step.dst.name for step in between}
    parts: tuple[Operand, ...] = (load.address,)
    if store.address != load.address:
        parts = _added(load.address, [first])
        if parts != _added(store.address, between[::-1]):
            return None
    if not parts or store.size != load.size or load.size > 8:
        return None
    if any(isinstance(part, Register) and part.name in changed for part in parts):
        return None
    sums, others = _known_sums(load, between)
    if not isinstance(store.value, Register) or store.value.name not in {*sums, *others}:
        return ExclusivePair(load, between, store, RmwOp.XCHG, store.value)
    if store.value.name in sums:
        return ExclusivePair(load, between, store, RmwOp.ADD, sums[store.value.name])
    return None


def _added(address: Operand, steps: Sequence[Operation | None]) -> tuple[Operand, ...]:
    """The operands of the first step that computes an address, if it is a sum."""
    step = next((step for step in steps if isinstance(step, Compute) and step.dst == address), None)
    return (step.a, step.b) if step is not None and step.op is Op.ADD and step.width == 64 else ()


def _known_sums(load: Load, between: tuple[Compute, ...]) -> tuple[dict[str, int], set[str]]:
    """Registers that hold the loaded value and a number, with the number; and what else depends on it."""
    sums, others = dict.fromkeys(_names(load.dst), 0), set[str]()
    for step in between:
        used = {x.name for x in (step.a, step.b, step.c) if isinstance(x, Register)}
        total = _sum(step, sums, 8 * load.size)
        depends = bool(used & (sums.keys() | others))
        sums.pop(step.dst.name, None)
        others.discard(step.dst.name)
        if total is not None:
            sums[step.dst.name] = total
        elif depends:
            others.add(step.dst.name)
    return sums, others


def _sum(step: Compute, sums: dict[str, int], bits: int) -> int | None:
    """What a computation adds to the loaded value, if that is all it does, in enough bits."""
    if step.width < bits:
        return None
    a = sums.get(step.a.name) if isinstance(step.a, Register) else None
    b = sums.get(step.b.name) if isinstance(step.b, Register) else None
    match step.op:
        case Op.MOV | Op.TRUNC:
            return a
        case Op.SEXT if step.width == bits:
            return a  # the store cuts what was added above
        case Op.ADD if a is not None and isinstance(step.b, int):
            return a + step.b & _ALL
        case Op.ADD if b is not None and isinstance(step.a, int):
            return b + step.a & _ALL
        case Op.SUB if a is not None and isinstance(step.b, int):
            return a - step.b & _ALL
    return None
