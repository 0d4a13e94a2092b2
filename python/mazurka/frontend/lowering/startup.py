"""What runs before and after main: constructors, static objects of C++, and what was registered for the end.

``llvm.global_ctors`` lists functions with priorities; they become calls at the beginning of main. Those of
``llvm.global_dtors``, and what ``_FINISHING`` does with the functions that ``__cxa_thread_atexit`` and
``__cxa_atexit`` have collected, become calls where main returns, and before calls of exit.
"""

from __future__ import annotations

from mazurka.frontend.llvm import ir

_FINISHING = ("__mazurka_finish_thread", "__mazurka_finish")  # of cxx/thread_ending.cpp and libc/ending.c
_EXIT = "exit"
_VOID = ir.VoidType()
_ABSENT = ir.IrFunction("", _VOID, [])


def surround_main(module: ir.Module) -> None:
    """Adds the calls to main, which must be defined."""
    before, after = _listed(module, "llvm.global_ctors"), _listed(module, "llvm.global_dtors")
    after[:0] = [name for name in _FINISHING if module.functions.get(name, _ABSENT).blocks]
    main = module.functions["main"]
    entry = main.blocks[0].insts
    start = next((at for at, inst in enumerate(entry) if inst.op != "alloca"), len(entry))
    entry[start:start] = [_call(name) for name in before]
    if after:
        for block in main.blocks:
            if block.insts[-1].op == "ret":
                block.insts[-1:-1] = [_call(name) for name in after]
        if not module.functions.get(_EXIT, _ABSENT).blocks:
            for function in module.functions.values():
                for block in function.blocks:
                    _precede_exit(block, after)


def _precede_exit(block: ir.Block, after: list[str]) -> None:
    """Adds the calls before those of exit."""
    for at in reversed(range(len(block.insts))):
        inst = block.insts[at]
        if (
            inst.op == "call"
            and isinstance(callee := inst.operands[0][1], ir.Symbol)
            and callee.name == _EXIT
        ):
            block.insts[at:at] = [_call(name) for name in after]


def _listed(module: ir.Module, name: str) -> list[str]:
    """The functions of a list, by priority."""
    item = module.globals.pop(name, None)
    if item is None or not isinstance(item.value, ir.Elements):
        return []
    found = []
    for _, entry in item.value.parts:
        assert isinstance(entry, ir.Elements)
        (_, priority), (_, function) = entry.parts[:2]
        if isinstance(priority, ir.Number) and isinstance(function, ir.Symbol):
            found.append((priority.bits, function.name))
    return [function for _, function in sorted(found, key=lambda pair: pair[0])]


def _call(name: str) -> ir.Inst:
    return ir.Inst("call", "", _VOID, [(ir.PointerType(), ir.Symbol(name))])
