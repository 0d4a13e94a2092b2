"""Which local objects stay private to their thread.

An object is a local variable, a heap allocation or a thread-local. It escapes when its address reaches
memory that another thread may read: stored outside private objects, passed to a new thread, returned,
turned into an integer, or passed to a callee that lets it escape. Callees are summarised by the set of
their parameters that escape; summaries grow to a fixpoint. An object that escapes takes along whatever
was stored in it. From then on any thread may have stored something in it: its contents are unknown, and
what is stored through an unknown pointer escapes.

Flow-insensitive: "v flows to w" edges say that where w's value goes, v's may. Departs from points-to
analyses in that the contents of an object form one cell, and that a callee may read or write all of it.

I1: an object that is not reported as escaping is only ever accessed by the thread that made it.
I2: what is not known to be private is shared, including allocations that this analysis has not seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mazurka.deadline import look
from mazurka.frontend.llvm import ir
from mazurka.program.sync_objects import FUNCTIONS, conditions

ALLOCATORS = frozenset(("malloc", "calloc", "aligned_alloc", "realloc", "memalign"))
# What library functions do with pointer arguments: the argument numbers that they keep or publish.
_KEEPS: dict[str, frozenset[int]] = {
    "pthread_create": frozenset((3,)),
    "thrd_create": frozenset((2,)),
    "pthread_exit": frozenset((0,)),
    **dict.fromkeys(("pthread_setspecific", "tss_set"), frozenset((1,))),
    "__mazurka_cleanup_push": frozenset((2,)),
    **dict.fromkeys(("pthread_once", "call_once"), frozenset((0,))),
    **conditions.SHARED,
    **conditions.TIMED,
    **{name: frozenset(call.argument for call in calls) for name, calls in FUNCTIONS.items()},
}
# Library functions that store a pointer, by the argument that points to where.
_STORES_UNKNOWN = {"llvm.va_start.p0": 0, "llvm.va_copy.p0": 0, "pthread_join": 1, "posix_memalign": 0}
_COPIES = frozenset(("memcpy", "memmove", "mempcpy", "strcpy", "strncpy", "strcat"))
_RETURNS_ARGUMENT = _COPIES | {"memset", "strchr"}
_ATOMICS = ("__atomic_", "__sync_")
# Those that only copy between objects: which argument's object gets what another one's holds.
_ATOMIC_COPIES = {
    "__atomic_load": ((2, 1),),
    "__atomic_store": ((1, 2),),
    "__atomic_exchange": ((1, 2), (3, 1)),
    "__atomic_compare_exchange": ((1, 3), (2, 1)),
}
_VALUE_FLOWS = frozenset(
    ("getelementptr", "bitcast", "freeze", "phi", "select", "insertvalue", "extractvalue")
)
_HARMLESS = frozenset(("icmp", "fcmp", "br", "switch", "debug", "declare", "fence", "unreachable"))

ESCAPED = "escaped"
UNKNOWN = "?"


@dataclass
class _Summary:
    """What is known about a function: parameters that escape, and objects (by result name) that do not."""

    escaping_params: set[int] = field(default_factory=set)
    private_objects: set[str] = field(default_factory=set)
    escaping_tls: set[str] = field(default_factory=set)


class EscapeAnalysis:
    """The result for a whole module; with ``share_all`` every object is shared."""

    def __init__(self, module: ir.Module, *, share_all: bool = False) -> None:
        self._module = module
        self._share_all = share_all
        self._summaries = {f.name: _Summary() for f in module.functions.values() if f.blocks}
        self._solve()

    def escapes(self, function: str, name: str) -> bool:
        """Whether the object that an alloca or allocation call of a function makes may be shared."""
        return self._share_all or name not in self._summaries[function].private_objects

    def tls_escapes(self, name: str) -> bool:
        """Whether the address of a thread-local may reach another thread."""
        return self._share_all or any(name in summary.escaping_tls for summary in self._summaries.values())

    def param_escapes(self, function: str, index: int) -> bool:
        """Whether a defined function lets a parameter escape; unknown functions never return."""
        summary = self._summaries.get(function)
        return summary is not None and index in summary.escaping_params

    def defined(self, function: str) -> bool:
        """Whether the function's body is known."""
        return function in self._summaries

    def _solve(self) -> None:
        changed = True
        while changed:
            changed = False
            for name, old in list(self._summaries.items()):
                new = _FunctionFlow(self._module, self._module.functions[name], self).summary()
                if new != old:
                    self._summaries[name] = new
                    changed = True


class _FunctionFlow:
    """The flow graph of one function. Nodes: ``%name``, ``*name`` (contents of an object), ESCAPED."""

    def __init__(self, module: ir.Module, function: ir.IrFunction, analysis: EscapeAnalysis) -> None:
        self._module = module
        self._function = function
        self._analysis = analysis
        self._flows: dict[str, set[str]] = {}
        self._objects: set[str] = set()
        self._points_to: dict[str, set[str]] = {}
        for param in function.params:
            if param.byval is not None:  # the callee's own copy
                self._new_object(param.name)
                self._points_to["*" + param.name] = {UNKNOWN}
            else:
                self._points_to["%" + param.name] = {UNKNOWN}
        self._insts = [inst for block in function.blocks for inst in block.insts]

    def summary(self) -> _Summary:
        while True:
            while self._grow():
                pass
            escaped = self._reaching_escape()
            if not self._open(escaped):
                break
        names = ["" if param.byval is not None else "%" + param.name for param in self._function.params]
        params = {i for i, name in enumerate(names) if name in escaped}
        private = {name for name in self._objects if "%" + name not in escaped}
        tls = {node[1:] for node in escaped if node[0] == "@"}
        return _Summary(params, private, tls)

    def _open(self, escaped: set[str]) -> bool:
        """Makes the contents of escaped objects unknown, as others may store there; whether that is new."""
        before = self._measure()
        for name in self._objects:
            if "%" + name in escaped:
                self._make_unknown("*" + name)
        return self._measure() != before

    def _reaching_escape(self) -> set[str]:
        """All nodes from which ESCAPED can be reached; contents of an escaped object are escaped."""
        sources: dict[str, set[str]] = {}
        for source, targets in self._flows.items():
            for target in targets:
                sources.setdefault(target, set()).add(source)
        reached = {ESCAPED}
        stack = [ESCAPED]
        while stack:
            node = stack.pop()
            new = set(sources.get(node, ()))
            if node[0] == "%":
                new.add("*" + node[1:])
            for other in new - reached:
                reached.add(other)
                stack.append(other)
        return reached

    def _grow(self) -> bool:
        before = self._measure()
        for inst in self._insts:
            look()
            self._visit(inst)
        return self._measure() != before

    def _measure(self) -> tuple[int, int]:
        return sum(map(len, self._flows.values())), sum(map(len, self._points_to.values()))

    def _node(self, value: ir.Value) -> str | None:
        """The node of an operand; None for values that point to nothing private."""
        if isinstance(value, ir.Local):
            return "%" + value.name
        if isinstance(value, ir.Symbol):
            name = self._module.resolve(value.name)
            item = self._module.globals.get(name)
            return "@" + name if item is not None and item.thread_local else None
        return None

    def _make_unknown(self, node: str) -> None:
        self._points_to.setdefault(node, set()).add(UNKNOWN)

    def _targets(self, value: ir.Value) -> set[str]:
        """Objects that an operand may point to; UNKNOWN stands for any shared memory."""
        node = self._node(value)
        return {UNKNOWN} if node is None or node[0] == "@" else self._points_to.get(node, set())

    def _flow(self, source: str | None, target: str) -> None:
        if source is not None:
            self._flows.setdefault(source, set()).add(target)
            self._points_to.setdefault(target, set()).update(self._points_to.get(source, ()))

    def _visit(self, inst: ir.Inst) -> None:
        if inst.op in _HARMLESS:
            return
        result = "%" + inst.result
        if inst.op == "alloca":
            self._new_object(inst.result)
        elif inst.op in _VALUE_FLOWS:
            for _, value in inst.operands:
                self._flow_or_unknown(value, result)
        elif inst.op == "load":
            self._load(inst.operands[0][1], result)
        elif inst.op == "store":
            self._store(inst.operands[0][1], inst.operands[1][1])
        elif inst.op in ("atomicrmw", "cmpxchg"):
            for _, value in inst.operands[1:]:
                self._store(value, inst.operands[0][1])
            self._load(inst.operands[0][1], result)
        elif inst.op == "call":
            self._call(inst, result)
        else:
            self._other(inst, result)

    def _other(self, inst: ir.Inst, result: str) -> None:
        """ret and ptrtoint publish a pointer; so does arithmetic on an integer that holds one."""
        publishes = inst.op in ("ret", "ptrtoint", "ptrtoaddr")
        for _, value in inst.operands:
            if publishes or self._targets(value) - {UNKNOWN}:
                self._flow(self._node(value), ESCAPED)
        self._make_unknown(result)

    def _new_object(self, name: str) -> None:
        self._objects.add(name)
        self._points_to.setdefault("%" + name, set()).add(name)

    def _flow_or_unknown(self, value: ir.Value, target: str) -> None:
        node = self._node(value)
        if node is None or node[0] == "@":
            self._make_unknown(target)
        self._flow(node, target)

    def _load(self, pointer: ir.Value, result: str) -> None:
        for target in self._targets(pointer):
            if target == UNKNOWN:
                self._make_unknown(result)
            else:
                self._flow("*" + target, result)

    def _store(self, value: ir.Value, pointer: ir.Value) -> None:
        if isinstance(value, (ir.Number, ir.Zero, ir.Undefined)):
            return
        for target in self._targets(pointer):
            if target == UNKNOWN:
                self._flow(self._node(value), ESCAPED)
            else:
                self._flow_or_unknown(value, "*" + target)

    def _call(self, inst: ir.Inst, result: str) -> None:
        callee = inst.operands[0][1]
        arguments = [value for _, value in inst.operands[1:]]
        name = self._module.resolve(callee.name) if isinstance(callee, ir.Symbol) else None
        if name is not None and not self._analysis.defined(name):
            self._library_call(name, arguments, inst)
            return
        if isinstance(callee, ir.Assembly):
            self._assembly(arguments, callee, result)
            return
        for i, value in enumerate(arguments):
            if name is None or self._is_variable(name, i) or self._analysis.param_escapes(name, i):
                self._flow(self._node(value), ESCAPED)
            else:
                self._expose_contents(value)
        self._make_unknown(result)

    def _is_variable(self, name: str, number: int) -> bool:
        """Whether an argument is one of variable arguments, which are not followed."""
        return number >= len(self._module.functions[name].params)

    def _assembly(self, arguments: list[ir.Value], callee: ir.Assembly, result: str) -> None:
        """Inline assembly only accesses operands that are memory; where registers go is not followed."""
        for value, element in zip(arguments, callee.elements, strict=True):
            if element is None:
                self._flow(self._node(value), ESCAPED)
            else:
                self._expose_contents(value)
        self._make_unknown(result)

    def _expose_contents(self, value: ir.Value) -> None:
        """A callee may read everything in an object and store shared addresses in it."""
        for target in self._targets(value) - {UNKNOWN}:
            self._flow("*" + target, ESCAPED)
            self._make_unknown("*" + target)

    def _library_call(self, name: str, arguments: list[ir.Value], inst: ir.Inst) -> None:
        base = name.removeprefix("llvm.").removeprefix("mazurka.").split(".")[0]
        if name in ALLOCATORS:
            self._new_object(inst.result)
            for old in arguments[:1] if name == "realloc" else ():
                self._copy(ir.Local(inst.result), old)
            return
        copies = [(0, 1)] if base in _COPIES else list(_ATOMIC_COPIES.get(name, ()))
        for to, source in copies:
            if max(to, source) < len(arguments):
                self._copy(arguments[to], arguments[source])
        publishes = name.startswith(_ATOMICS) and name not in _ATOMIC_COPIES
        for i, value in enumerate(arguments):
            for target in self._targets(value) if i == _STORES_UNKNOWN.get(name) else ():
                self._make_unknown("*" + target)
            if i in _KEEPS.get(name, ()) or publishes:
                self._flow(self._node(value), ESCAPED)
            # If one of its arguments may be returned, all may.
            if inst.result and (isinstance(inst.type, ir.PointerType) or name.startswith("llvm.")):
                self._flow(self._node(value), "%" + inst.result)
            elif inst.result and base in _RETURNS_ARGUMENT:  # a declaration like 'long memcpy();'
                self._flow(self._node(value), ESCAPED)
        if name == "__errno_location":
            self._flow("@errno", "%" + inst.result)
        self._make_unknown("%" + inst.result)

    def _copy(self, to: ir.Value, source: ir.Value) -> None:
        """Whatever the source holds, the destination holds afterwards."""
        for origin in self._targets(source):
            for target in self._targets(to):
                if origin == UNKNOWN:
                    self._make_unknown("*" + target)
                elif target == UNKNOWN:
                    self._flow("*" + origin, ESCAPED)
                else:
                    self._flow("*" + origin, "*" + target)
