"""Which values are the same in every execution: those that depend on no shared memory.

A value is stable if it is made from constants, addresses, other stable values, and parameters whose
arguments are stable wherever the function is called or started as a thread. What is read from memory is not
stable, except for globals that are never written. A phi is stable only if the branches that choose its value
are.

Computed as a greatest fixpoint: all values are assumed to be stable, and those that depend on an unstable one
are removed. Flow-insensitive between functions: a parameter stands for all its arguments.

I1: a stable value is a function of the rounds that the loops around it have made, if these loops are left by
    stable conditions alone; the values of other loops' phis are not stable.
"""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.deadline import look
from mazurka.frontend.analysis.escape import ALLOCATORS
from mazurka.frontend.analysis.exits import Exit, loop_exits
from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.cfg import Cfg, CfgLoop
from mazurka.frontend.llvm.lexer import words
from mazurka.program.sync_objects import FUNCTIONS, conditions

PURE = words(
    "add sub mul udiv sdiv urem srem and or xor shl lshr ashr icmp trunc zext sext ptrtoint ptrtoaddr "
    "inttoptr bitcast freeze select getelementptr alloca extractvalue insertvalue"
)
# Library functions that return the same in every execution: they never fail here, or return a new object.
_SAME_RESULT = ALLOCATORS | {
    *("pthread_create", "pthread_join", "pthread_detach", "pthread_self", "pthread_attr_init"),
    *("thrd_create", "thrd_join", "thrd_detach", "thrd_current"),
    *conditions.SHARED,
    *(name for name, calls in FUNCTIONS.items() if not any(call.operation.has_result for call in calls)),
}
_STARTS = {"pthread_create": 2, "thrd_create": 1}  # which argument is called, with the next one
_BRANCHES = frozenset(("br", "switch", "indirectbr"))
_NO_USE = frozenset(("debug", "declare"))


class StableValues:
    """The result for a whole module."""

    def __init__(self, module: ir.Module, graphs: dict[str, Cfg]) -> None:
        self._module = module
        self._graphs = graphs
        self._exits = {
            name: {header: loop_exits(graph, loop) for header, loop in graph.loops.items()}
            for name, graph in graphs.items()
        }
        self._fixed_globals = _globals_that_are_only_read(module)
        self._unstable: dict[str, set[str]] = {name: set() for name in self._graphs}
        self._left_unstably: dict[str, set[str]] = {name: set() for name in self._graphs}  # headers
        self._unstable_results: set[str] = set()
        self._callers = _callers(module)
        self._pending = dict.fromkeys(graphs)  # functions to look at, again if something of theirs changed
        self._forget_parameters_of_unknown_callers()
        while self._pending:
            self._shrink(self._pending.popitem()[0])

    def is_stable(self, function: str, value: ir.Value) -> bool:
        """Whether an operand is the same in every execution."""
        if isinstance(value, ir.Local):
            return value.name not in self._unstable[function]
        return not isinstance(value, ir.Undefined | ir.Unreadable)

    def branches_stably(self, function: str, block: str) -> bool:
        """Whether the way on from a block is the same in every execution."""
        last = self._graphs[function].blocks[block].insts[-1]
        return last.op not in _BRANCHES or all(self.is_stable(function, v) for _, v in last.operands)

    def is_left_stably(self, function: str, loop: CfgLoop) -> bool:
        """Whether a loop makes the same number of rounds each time (or none of its exits is ever taken)."""
        return loop.header not in self._left_unstably[function]

    def _forget_parameters_of_unknown_callers(self) -> None:
        """A function that may be called through a pointer may be given anything."""
        for name in self._functions_with_other_uses():
            function = self._module.functions.get(name)
            if function is not None and function.blocks:
                for param in function.params:
                    self._forget(name, param.name)

    def _functions_with_other_uses(self) -> Iterator[str]:
        for item in self._module.globals.values():
            yield from symbols_in(item.value)
        for _, target in self._module.aliases.values():
            yield from symbols_in(target)
        for function in self._module.functions.values():
            for inst in _instructions(function):
                callee = callee_of(inst)
                for place, (_, value) in enumerate(inst.operands):
                    is_known = (place == 0 and inst.op == "call") or (place - 1 == _STARTS.get(callee))
                    if not (is_known and isinstance(value, ir.Symbol)):
                        yield from symbols_in(value)

    def _forget(self, function: str, value: str) -> None:
        """A value is not stable."""
        if value not in self._unstable[function]:
            self._unstable[function].add(value)
            self._pending[function] = None

    def _shrink(self, function: str) -> None:
        """Removes what depends on something that is not stable."""
        graph = self._graphs[function]
        for header, loop in graph.loops.items():
            if header in self._left_unstably[function]:
                continue
            if not all(self._is_exit_stable(function, loop, one) for one in self._exits[function][header]):
                self._left_unstably[function].add(header)
                self._pending[function] = None
        for block in graph.order:
            for inst in graph.blocks[block].insts:
                self._look_at(function, block, inst)

    def _is_exit_stable(self, function: str, loop: CfgLoop, leaving: Exit) -> bool:
        look()
        graph = self._graphs[function]
        if leaving.condition is not None and not self.is_stable(function, leaving.condition):
            return False
        if leaving.condition is not None and all(graph.dominates(leaving.block, b) for b in loop.back):
            return True  # it is tested in each round
        before = graph.blocks_between(loop.header, [leaving.block]) & loop.body
        return all(self.branches_stably(function, block) for block in before)

    def _look_at(self, function: str, block: str, inst: ir.Inst) -> None:
        look()
        if inst.op == "call":
            self._pass_arguments(function, inst)
        if inst.op == "ret" and not all(self.is_stable(function, value) for _, value in inst.operands):
            self._forget_result(function)
        if inst.result and not self._is_result_stable(function, block, inst):
            self._forget(function, inst.result)

    def _forget_result(self, function: str) -> None:
        if function not in self._unstable_results:
            self._unstable_results.add(function)
            self._pending.update(dict.fromkeys(self._callers.get(function, ())))

    def _is_result_stable(self, function: str, block: str, inst: ir.Inst) -> bool:
        if inst.op == "call":
            callee = callee_of(inst)
            return callee in _SAME_RESULT or (callee in self._graphs and callee not in self._unstable_results)
        if inst.op == "load":
            return self._reads_fixed_global(function, inst)
        if inst.op not in PURE and inst.op != "phi":
            return False
        operands_are = all(self.is_stable(function, value) for _, value in inst.operands)
        return operands_are and (inst.op != "phi" or self._is_choice_stable(function, block, inst))

    def _is_choice_stable(self, function: str, block: str, phi: ir.Inst) -> bool:
        """Whether a phi takes the same value each time; in a loop's header, the same in each round."""
        graph = self._graphs[function]
        loop = graph.loops.get(block)
        incoming = list(zip(phi.labels, (value for _, value in phi.operands), strict=True))
        if loop is None:
            groups = [incoming]
        elif loop.irreducible or not self.is_left_stably(function, loop):
            return False
        else:
            back = [pair for pair in incoming if pair[0] in loop.back]
            groups = [back, [pair for pair in incoming if pair not in back]]
        return all(self._is_one_value(function, block, group) for group in groups)

    def _is_one_value(self, function: str, block: str, incoming: list[tuple[str, ir.Value]]) -> bool:
        if len({value for _, value in incoming}) <= 1:
            return True
        graph = self._graphs[function]
        between = graph.blocks_between(graph.dominator(block), [label for label, _ in incoming])
        return all(self.branches_stably(function, other) for other in between)

    def _reads_fixed_global(self, function: str, inst: ir.Inst) -> bool:
        address = inst.operands[0][1]
        while isinstance(address, ir.Local):
            made = self._graphs[function].definition(address.name)
            if made is None or made.op != "getelementptr" or not self.is_stable(function, address):
                return False
            address = made.operands[0][1]
        return all(name in self._fixed_globals for name in symbols_in(address)) and any(symbols_in(address))

    def _pass_arguments(self, function: str, inst: ir.Inst) -> None:
        callee, arguments = passed(inst)
        target = self._module.functions.get(callee)
        if target is None or not target.blocks:
            return
        for param, (_, value) in zip(target.params, arguments, strict=False):
            if not self.is_stable(function, value):
                self._forget(callee, param.name)


def callee_of(inst: ir.Inst) -> str:
    """The function that an instruction calls by its name; empty if there is none."""
    target = inst.operands[0][1] if inst.op == "call" else None
    return target.name if isinstance(target, ir.Symbol) else ""


def passed(inst: ir.Inst) -> tuple[str, list[ir.Operand]]:
    """The function that an instruction calls or starts by its name, and what it is given."""
    callee, arguments = callee_of(inst), inst.operands[1:]
    place = _STARTS.get(callee)
    if place is not None and len(arguments) == place + 2:
        started = arguments[place][1]
        callee, arguments = (started.name if isinstance(started, ir.Symbol) else ""), arguments[place + 1 :]
    return callee, arguments


def _callers(module: ir.Module) -> dict[str, set[str]]:
    """For each function those that call it by its name."""
    found: dict[str, set[str]] = {}
    for function in module.functions.values():
        for inst in _instructions(function):
            found.setdefault(callee_of(inst), set()).add(function.name)
    return found


def _instructions(function: ir.IrFunction) -> Iterator[ir.Inst]:
    for block in function.blocks:
        yield from (inst for inst in block.insts if inst.op not in _NO_USE)


def symbols_in(value: ir.Value | None) -> Iterator[str]:
    """The globals and functions that a constant names."""
    if isinstance(value, ir.Symbol):
        yield value.name
    elif isinstance(value, ir.Expression):
        for _, part in value.operands:
            yield from symbols_in(part)
    elif isinstance(value, ir.Elements):
        for _, part in value.parts:
            yield from symbols_in(part)


def _globals_that_are_only_read(module: ir.Module) -> set[str]:
    """Globals whose address is used for nothing but loads, directly or through a getelementptr."""
    written: set[str] = set()
    for item in module.globals.values():
        written.update(symbols_in(item.value))
    for _, target in module.aliases.values():
        written.update(symbols_in(target))
    for function in module.functions.values():
        inside = _addresses_inside(function)
        for inst in _instructions(function):
            for place, (_, value) in enumerate(inst.operands):
                used = inside.get(value.name, ()) if isinstance(value, ir.Local) else tuple(symbols_in(value))
                if inst.op != "load" and not (inst.op == "getelementptr" and place == 0):
                    written.update(used)
    return {name for name, item in module.globals.items() if item.constant or name not in written}


def _addresses_inside(function: ir.IrFunction) -> dict[str, tuple[str, ...]]:
    """For each result of a getelementptr, the globals that it points into."""
    inside: dict[str, tuple[str, ...]] = {}
    grown = True
    while grown:
        look()
        grown = False
        for inst in _instructions(function):
            if inst.op != "getelementptr" or inst.result in inside:
                continue
            base = inst.operands[0][1]
            found = inside.get(base.name, ()) if isinstance(base, ir.Local) else tuple(symbols_in(base))
            if found:
                inside[inst.result] = found
                grown = True
    return inside
