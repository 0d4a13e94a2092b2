"""Direct uses of thread-local variables become uses of their addresses in the thread that runs.

clang asks for these addresses with ``llvm.threadlocal.address``, except for the guards that it adds to
variables with constructors. Other compilers use the variables directly.
"""

from __future__ import annotations

from mazurka.frontend.llvm import ir

_ASKS = ir.Symbol("llvm.threadlocal.address.p0")


def ask_for_thread_locals(module: ir.Module) -> None:
    """Changes the functions of a module in place."""
    names = {name for name, item in module.globals.items() if item.thread_local}
    for function in module.functions.values() if names else ():
        for block in function.blocks:
            numbered = enumerate(block.insts)
            block.insts[:] = [
                new for at, inst in numbered for new in _asking(inst, names, f"{block.name}.{at}")
            ]


def _asking(inst: ir.Inst, names: set[str], label: str) -> list[ir.Inst]:
    """The instruction, after calls that ask for the addresses of its operands."""
    if inst.op == "phi" or inst.variable or (inst.operands[:1] and inst.operands[0][1] == _ASKS):
        return [inst]
    asked = []
    for at, (type_, value) in enumerate(inst.operands):
        if isinstance(value, ir.Symbol) and value.name in names:
            result = f"thread.local.{label}.{at}"
            operands: list[ir.Operand] = [(type_, _ASKS), (type_, value)]
            asked.append(ir.Inst("call", result, type_, operands, metadata=inst.metadata))
            inst.operands[at] = (type_, ir.Local(result))
    return [*asked, inst]
