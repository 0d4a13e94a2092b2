"""Which loads of a function only move a value.

Copying bytes that were never written is legal C, and so is storing a bit-field next to one that was never
written; using them is not. The compiler hides both behind plain loads: it fetches the unit around a bit-field
before it stores it back, and it fetches a small struct as a number to pass or return it by value. Programs
that copy or exchange objects themselves do so byte by byte, as C has it.
"""

from __future__ import annotations

from collections import defaultdict

from mazurka.frontend.llvm import ir

_BIT_FIELD_LOAD = "bf.load"  # the names that clang gives; the driver asks it to keep them
_BIT_FIELD_SET = "bf.set"
_HANDED_ON = frozenset(("call", "ret", "insertvalue"))


def moving_loads(function: ir.IrFunction) -> frozenset[str]:
    """The results of the loads whose value is only moved."""
    uses = _uses(function)
    loads = (inst for block in function.blocks for inst in block.insts if inst.op == "load")
    return frozenset(
        inst.result
        for inst in loads
        if _keeps_bit_fields(inst, uses) or _passes_struct(inst, uses) or _copies_byte(inst, uses)
    )


def used_names(function: ir.IrFunction) -> frozenset[str]:
    """The values that some instruction uses."""
    return frozenset(_uses(function))


def _uses(function: ir.IrFunction) -> dict[str, list[ir.Inst]]:
    uses: defaultdict[str, list[ir.Inst]] = defaultdict(list)
    for block in function.blocks:
        for inst in block.insts:
            for _, value in inst.operands:
                if isinstance(value, ir.Local) and not inst.variable:
                    uses[value.name].append(inst)
    return uses


def _keeps_bit_fields(load: ir.Inst, uses: dict[str, list[ir.Inst]]) -> bool:
    """Whether a load is masked to the neighbours of a bit-field, which are stored back as they are."""
    if not load.result.lstrip("%").startswith(_BIT_FIELD_LOAD):
        return False
    masks = uses.get(load.result, [])
    return bool(masks) and all(
        mask.op == "and" and _is_set(load, uses.get(mask.result, [])) for mask in masks
    )


def _is_set(load: ir.Inst, users: list[ir.Inst]) -> bool:
    """Whether the masked unit gets the new bits, or is stored back without any, if these are zeros."""
    return bool(users) and all(
        (user.op == "or" and user.result.lstrip("%").startswith(_BIT_FIELD_SET))
        or (user.op == "store" and user.operands[1] == load.operands[0])
        for user in users
    )


def _passes_struct(load: ir.Inst, uses: dict[str, list[ir.Inst]]) -> bool:
    """Whether a load without a type of its own (no ``tbaa``) goes to a call or a return as it is."""
    if "tbaa" in load.metadata or load.words:
        return False
    users = uses.get(load.result, [])
    return bool(users) and all(user.op in _HANDED_ON for user in users)


def _copies_byte(load: ir.Inst, uses: dict[str, list[ir.Inst]]) -> bool:
    """Whether a byte is stored elsewhere, and nothing else is done with it."""
    users = uses.get(load.result, [])
    is_byte = isinstance(load.type, ir.IntType) and load.type.bits == 8
    return is_byte and bool(users) and all(user.op == "store" for user in users)
