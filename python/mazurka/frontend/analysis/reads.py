"""What the reads of locals may see that have been moved to registers: a value, or nothing at all.

``cleaning.unset`` gives each local an unset value where it begins to exist, and marks the reads. A read that
can see one becomes a call of ``CHECK`` with a flag, which is computed along with the value: where values meet
in a phi, so do their flags. All other marks disappear, and unset values become undefined ones.
"""

from __future__ import annotations

from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.ir import CHECK, READ, UNSET

_FLAG = ir.IntType(1)
_SAME = frozenset(("bitcast", "trunc", "zext", "inttoptr", "ptrtoint", "freeze"))
_MEETING = frozenset(("phi", "select"))


def check_reads(module: ir.Module) -> None:
    """Makes checks of the reads in all functions."""
    if any(name.startswith(f"{UNSET}.") for name in module.functions):
        for function in module.functions.values():
            if any(_calls(inst, UNSET) for block in function.blocks for inst in block.insts):
                _Reads(function).check()


def _calls(inst: ir.Inst, name: str) -> bool:
    callee = inst.operands[0][1] if inst.op == "call" else None
    return isinstance(callee, ir.Symbol) and callee.name.startswith(f"{name}.")


class _Reads:
    def __init__(self, function: ir.IrFunction) -> None:
        self._function = function
        self._made = {inst.result: inst for block in function.blocks for inst in block.insts if inst.result}
        self._unset = {name for name, inst in self._made.items() if _calls(inst, UNSET)}
        self._mixed = self._partly_unset()

    def _partly_unset(self) -> set[str]:
        """The phis and selects that may pass on an unset value."""
        found: set[str] = set()
        meetings = [inst for inst in self._made.values() if inst.op in _MEETING]
        before = -1
        while before != len(found):
            before = len(found)
            for inst in meetings:
                origins = map(self._origin, _met(inst))
                if any(origin in found or origin in self._unset for origin in origins):
                    found.add(inst.result)
        return found

    def _origin(self, value: ir.Value) -> str | None:
        """The name of the value that another one was converted from."""
        while isinstance(value, ir.Local):
            made = self._made.get(value.name)
            if made is None or made.op not in _SAME:
                return value.name
            value = made.operands[0][1]
        return None

    def _flag(self, value: ir.Value) -> ir.Value:
        """Whether a value was set."""
        origin = self._origin(value)
        if origin in self._mixed:
            return ir.Local(f"{origin}.{UNSET}")
        return ir.Number(int(origin not in self._unset))

    def check(self) -> None:
        for block in self._function.blocks:
            block.insts = [new for inst in block.insts for new in self._instead(inst)]

    def _instead(self, inst: ir.Inst) -> list[ir.Inst]:
        if inst.result in self._unset:
            return [ir.Inst("freeze", inst.result, inst.type, [(inst.type, ir.Undefined())])]
        if inst.result in self._mixed:
            chosen = inst.operands[: len(inst.operands) - len(_met(inst))]
            flags = [*chosen, *((_FLAG, self._flag(value)) for value in _met(inst))]
            return [inst, ir.Inst(inst.op, f"{inst.result}.{UNSET}", _FLAG, flags, labels=list(inst.labels))]
        if not _calls(inst, READ):
            return [inst]
        flag = self._flag(inst.operands[1][1])
        if isinstance(flag, ir.Number) and flag.bits:
            return []
        callee = (inst.operands[0][0], ir.Symbol(CHECK))
        return [ir.Inst("call", "", inst.type, [callee, (_FLAG, flag)], metadata=inst.metadata)]


def _met(inst: ir.Inst) -> list[ir.Value]:
    """The values of which a phi or select is one."""
    return [value for _, value in inst.operands[1 if inst.op == "select" else 0 :]]
