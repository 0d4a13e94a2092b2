"""Lowers a whole module to a Program."""

from __future__ import annotations

from functools import cached_property

from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.frontend.analysis.escape import EscapeAnalysis
from mazurka.frontend.analysis.mutextypes import has_mutex_types
from mazurka.frontend.analysis.rounds import LoopRounds
from mazurka.frontend.assembly.pools import Pools
from mazurka.frontend.c.dialect import Dialect
from mazurka.frontend.library.conditions import has_one_waiting_mutex
from mazurka.frontend.library.keys import END_OF_THREAD, MAKES_KEYS, end_of_thread, start_of_thread
from mazurka.frontend.library.routines import assemble_routine
from mazurka.frontend.library.threadlocals import BEGIN_OF_THREAD, ERRNO, begin_of_thread
from mazurka.frontend.library.threads import DETACHING, detaches_by_attributes
from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.cfg import Cfg
from mazurka.frontend.llvm.debuginfo import DebugInfo, SourceFiles
from mazurka.frontend.llvm.mangling import readable, readable_variable
from mazurka.frontend.lowering.calls import known_function
from mazurka.frontend.lowering.function import FunctionLowering
from mazurka.frontend.lowering.layout import Layout
from mazurka.frontend.lowering.sourcetypes import SourceTypes
from mazurka.frontend.lowering.startup import surround_main
from mazurka.program import Function, Instr, Op, Position, Program


class ModuleLowering:
    """What the functions of a module share while they are lowered."""

    def __init__(
        self,
        module: ir.Module,
        files: SourceFiles,
        file: str,
        *,
        share_all: bool = False,
        dialect: Dialect = Dialect(),  # noqa: B008 - a value
    ) -> None:
        self.ir = module
        self.file = file
        self.dialect = dialect
        self.stubs = {stub.name: stub for stub in dialect.stubs}
        self.volatile_places: set[tuple[int, str]] = set()
        self._machine = ""
        self.pools = Pools()
        self.debug = DebugInfo(module.metadata, files)
        self.types = SourceTypes(self.debug)
        # Calling this function is a violation, whatever it does.
        self.target = "reach_error" if dialect.target is None else dialect.target
        self.calls_target = False  # whether a function that has been lowered does
        self.defined = {name for name, function in module.functions.items() if function.blocks}
        self.defined -= {self.target}
        if "main" in self.defined:
            surround_main(module)
        self._indices = {name: i for i, name in enumerate(self._ordered())}
        self._extra: dict[str, tuple[str, int]] = {}  # routines and stubs, by unique name
        absent = module.weak - self.defined
        self.null = frozenset(name for name in absent if not self.knows(name))
        self.layout = Layout(module, self.function_index, self._place_of, self.null)
        self.escape = EscapeAnalysis(module, share_all=share_all)
        self.layout.forget_thread_locals(self.shared_thread_locals)
        self.graphs = {name: Cfg(module.functions[name]) for name in self._ordered()}

    @cached_property
    def rounds(self) -> LoopRounds:
        """What is known about the loops; computed late, because programs without loops do not need it."""
        return LoopRounds(self.ir, self.graphs)

    @property
    def has_keys(self) -> bool:
        """Whether threads may have data of their own that must be destroyed when they end."""
        return any(name in self.ir.functions and name not in self.defined for name in MAKES_KEYS)

    @cached_property
    def shared_thread_locals(self) -> tuple[str, ...]:
        """The thread-locals that other threads may reach."""
        names = [item.name for item in self.ir.globals.values() if item.thread_local]
        names += [ERRNO] if "__errno_location" in self.ir.functions else []
        return tuple(name for name in names if self.escape.tls_escapes(name))

    def thread_start(self, name: str) -> int:
        """The index of a function that calls another one between the thread's beginning and its end."""
        key = f"{name}/thread"
        if key not in self._indices:
            if self.has_keys:
                self.routine(END_OF_THREAD, 0)
            if self.shared_thread_locals:
                self.routine(BEGIN_OF_THREAD, 0)
            self._indices[key] = len(self._indices)
            self._extra[key] = (name, 0)
        return self._indices[key]

    @cached_property
    def has_mutex_types(self) -> bool:
        """Whether mutexes may be of other types than the default one."""
        return has_mutex_types(self.ir)

    @cached_property
    def detaches_by_attributes(self) -> bool:
        """Whether threads may be created that nobody can join."""
        return detaches_by_attributes(self.ir)

    @cached_property
    def detaches(self) -> bool:
        """Whether threads may be detached."""
        is_called = any(name in self.ir.functions and name not in self.defined for name in DETACHING)
        return is_called or self.detaches_by_attributes

    @cached_property
    def has_one_waiting_mutex(self) -> bool:
        """Whether threads always wait on condition variables with the same mutex."""
        return has_one_waiting_mutex(self.ir)

    @cached_property
    def has_shared_locals(self) -> bool:
        """Whether a function or a thread has a local variable that other threads may see."""
        locals_ = (
            (name, local)
            for name in self.defined
            for local in (
                *(p.name for p in self.ir.functions[name].params if p.byval is not None),
                *(i.result for b in self.ir.functions[name].blocks for i in b.insts if i.op == "alloca"),
            )
        )
        return bool(self.shared_thread_locals) or any(self.escape.escapes(*local) for local in locals_)

    def _ordered(self) -> list[str]:
        return [name for name in self.ir.functions if name in self.defined]

    def function_index(self, name: str) -> int:
        """The index of a function; an external one whose address is taken gets a stub."""
        if name not in self._indices:
            self._indices[name] = len(self._indices)
            self._extra[name] = ("", 0)
        return self._indices[name]

    def knows(self, name: str) -> bool:
        """Whether a function is defined, or one of the C library that can be called."""
        return name in self.defined or name in (*self.stubs, self.target) or known_function(name)

    def relies_on(self, instruction: str, place: Position | None) -> None:
        """Remembers the first machine instruction that the program relies on."""
        where = f" at {place.file}:{place.line}" if place is not None else ""
        self._machine = self._machine or f"'{instruction}'{where}"

    def routine(self, name: str, variant: int) -> int:
        """The index of a library routine."""
        if name == "realloc":
            self.routine("memcpy", variant >> 8)
        key = f"{name}/{variant}"
        if key not in self._indices:
            self._indices[key] = len(self._indices)
            self._extra[key] = (name, variant)
        return self._indices[key]

    def lower(self, sources: dict[str, str]) -> Program:
        """The finished Program."""
        if "main" not in self.defined:
            raise SourceError(
                ErrorCode.NO_MAIN,
                "the program has no function 'main'",
                place=Place(self.file),
                hint="add 'int main(void)', which starts the threads to be checked",
            )
        functions = [FunctionLowering(self, self.ir.functions[name]).lower() for name in self._ordered()]
        globals_ = self.layout.globals(self._type_index, self.global_name)
        self.layout.thread_locals()  # initialisers name functions, too
        functions += self._stubs_and_routines()
        globals_ += self.layout.texts()
        pools = self.pools
        return Program(
            functions=tuple(functions),
            entry=self._indices["main"],
            globals=tuple(globals_),
            constants=tuple(pools.constants),
            lists=tuple(pools.lists),
            switches=tuple(pools.switches),
            strings=tuple(pools.strings),
            positions=tuple(pools.positions),
            loops=tuple(pools.loops),
            types=self.types.table(),
            thread_locals=self.layout.thread_locals(),
            operations=tuple(pools.operations),
            sources=sources,
            volatile=tuple(sorted(self.volatile_places)),
            machine=self._machine,
            arguments=self._asks_for_arguments(),
        )

    def _asks_for_arguments(self) -> str:
        """Where main compares the number of its arguments with something; empty if it does not."""
        main = self.ir.functions["main"]
        for inst in (inst for block in main.blocks for inst in block.insts if main.params):
            names = {value.name for _, value in inst.operands if isinstance(value, ir.Local)}
            if inst.op in ("icmp", "switch") and main.params[0].name in names:
                place = self.debug.position(inst.metadata.get("dbg"))
                return f"{place.file}:{place.line}" if place is not None else self.file
        return ""

    def shown_name(self, function: ir.IrFunction) -> str:
        """What reports call a function; one of a system header, after the only function that it runs."""
        number = function.metadata.get("dbg")
        if self.debug.is_system_function(number):
            callees = (i.operands[0][1] for b in function.blocks for i in b.insts if i.op == "call")
            names = {callee.name for callee in callees if isinstance(callee, ir.Symbol)} & self.defined
            own = [
                n
                for n in names
                if not self.ir.functions[n].is_library
                and not self.debug.is_system_function(self.ir.functions[n].metadata.get("dbg"))
            ]
            if len(own) == 1:
                return self.shown_name(self.ir.functions[own[0]])
        return self.debug.function_name(number, function.name)

    def position_of(self, item: ir.IrGlobal) -> int:
        """The index of the place where a variable is defined."""
        place = self._place_of(item)
        return self.pools.position(Position(place.file, place.line, 0))

    def _place_of(self, item: ir.IrGlobal) -> Place:
        node = self.debug.node(self.debug.node(item.metadata.get("dbg", "")).get("var", ""))
        file = self.debug.file_of_scope(node.get("scope", ""))
        return Place(file or self.file, int(node.get("line", "0")))

    def _stubs_and_routines(self) -> list[Function]:
        """The functions that the others refer to; each may refer to more."""
        added: list[Function] = []
        while len(added) < len(self._extra):
            added.append(self._added(list(self._extra)[len(added)]))
        return added

    def _added(self, key: str) -> Function:
        name, variant = self._extra[key]
        if name == END_OF_THREAD:
            return end_of_thread(self.pools, self.layout)
        if name == BEGIN_OF_THREAD:
            return begin_of_thread(self)
        if key.endswith("/thread"):
            begin, end = (self._indices.get(f"{part}/0") for part in (BEGIN_OF_THREAD, END_OF_THREAD))
            shown = self.shown_name(self.ir.functions[name])
            return start_of_thread(shown, self.function_index(name), begin, end, self.pools)
        if name:
            return assemble_routine(name, variant, self.pools, self._indices.get(f"memcpy/{variant >> 8}", 0))
        declared = self.ir.functions[key]
        if self.knows(key) and not declared.varargs:
            stub = _forwarding(declared)
            self.graphs[key] = Cfg(stub)
            return FunctionLowering(self, stub).lower()
        params = sum(len(ir.scalars(p.type)) for p in self.ir.functions[key].params)
        code = (Instr(Op.UNKNOWN, a=self.pools.string(key)), Instr(Op.UNREACHABLE))
        return Function(key, params, max(params, 1), 0, (), code)

    def _type_index(self, item: ir.IrGlobal) -> int:
        number = item.metadata.get("dbg")
        type_ = self.debug.variable(number)[1] if number is not None else ""
        return self.types.index(self.types.get(type_)) if type_ else -1

    def global_name(self, item: ir.IrGlobal) -> str:
        """What the source calls a variable, or people a class's table of virtual functions."""
        if item.name.startswith("_ZTV"):
            return f"vtable of {readable(item.name) or 'a class'}"
        number = item.metadata.get("dbg")
        name = self.debug.variable(number)[0] if number is not None else ""
        return name or readable_variable(item.name) or item.name


def _forwarding(function: ir.IrFunction) -> ir.IrFunction:
    """A function that calls the library function of its name, for calls through a pointer."""
    arguments = [(param.type, ir.Local(param.name)) for param in function.params]
    call = ir.Inst("call", "", function.result, [(ir.PointerType(), ir.Symbol(function.name)), *arguments])
    call.indices = [0] * len(arguments)  # alignments that are not known
    back = ir.Inst("ret", "", ir.VoidType(), [])
    if not isinstance(function.result, ir.VoidType):
        call.result = "result"
        back.operands.append((function.result, ir.Local("result")))
    block = ir.Block("entry", [call, back])
    return ir.IrFunction(function.name, function.result, function.params, blocks=[block])
