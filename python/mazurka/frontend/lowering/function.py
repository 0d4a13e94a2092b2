"""Lowers one IR function to virtual code.

Blocks are lowered in reverse postorder, so that a value is known before it is used. Phis become
parallel copies on the edges that lead to them; edges also carry LOOP instructions and the zeroing of
loop counters.

I1: an unsupported construct becomes a REFUSE instruction in its place, never a guess.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from mazurka.deadline import look
from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.frontend.analysis.members import member_arrays
from mazurka.frontend.analysis.moves import moving_loads, used_names
from mazurka.frontend.assembly.assemble import assemble
from mazurka.frontend.assembly.code import COPIES, Code, CodeBlock, VirtualFunction
from mazurka.frontend.library.threadlocals import BEGIN_OF_THREAD
from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.cfg import CfgLoop
from mazurka.frontend.lowering import access, arithmetic
from mazurka.frontend.lowering.addresses import check_index, only_accessed, places_to_check
from mazurka.frontend.lowering.calls import lower_call
from mazurka.frontend.lowering.copying import copy_argument
from mazurka.frontend.lowering.dynamiclocals import DynamicLocals
from mazurka.frontend.lowering.emitter import Emitter, Private, RefusalError, Slot, check_type
from mazurka.frontend.lowering.expressions import Names
from mazurka.frontend.lowering.vectors import is_vector, lower_vector
from mazurka.frontend.lowering.wide import computes_wide, lower_wide
from mazurka.program import AllocFlag, FrameObject, Function, Loop, Op, Rounds

if TYPE_CHECKING:
    from collections.abc import Callable

    from mazurka.frontend.lowering.module import ModuleLowering

_NO_CODE = frozenset(("debug", "declare", "phi"))
_FRAME_ALIGN = 8
_SECTION = "__VERIFIER_atomic_"  # functions with such names run atomically
_MARKS = (f"{_SECTION}begin", f"{_SECTION}end")  # unless a program defines these itself
_LARGEST_FRAME = 1 << 22  # the engine's stacks are twice as large


class FunctionLowering(Emitter):
    """The state of one function's lowering."""

    def __init__(self, module: ModuleLowering, function: ir.IrFunction) -> None:
        super().__init__(module.pools, module.layout)
        self.module = module
        self.function = function
        self.cfg = module.graphs[function.name]
        self.names = Names(module.types, module.ir, function)
        self.moving = moving_loads(function)
        self.used = used_names(function)
        self.accessed = only_accessed(function)
        members = member_arrays(module.ir, function)
        self._index_checks: dict[int, list[tuple[ir.Inst, int]]] = {}  # by the instruction that they precede
        made = {i.result: i for block in function.blocks for i in block.insts} if members else {}
        for name, places in places_to_check(function, members).items() if members else ():
            for place in places:
                self._index_checks.setdefault(id(place), []).append((made[name], members[name]))
        self.undefined = module.dialect.undefined and not function.is_library
        self.volatile = access.VOLATILE_MODES[module.dialect.volatile]
        self.volatile_places = module.volatile_places
        self.frame_size = 0
        self.objects: list[FrameObject] = []
        self.alloca_types: dict[str, ir.Type] = {}
        self.dynamic: DynamicLocals
        self.variable_arguments = 0  # the register that holds where they are
        self._blocks = {name: CodeBlock() for name in self.cfg.order}
        self._labels = {block: name for name, block in self._blocks.items()}
        self._ends: dict[str, CodeBlock] = {}
        self._counters: dict[str, Code] = {}  # header -> its LOOP instruction
        self._block_name = ""  # of the block that is being lowered
        self._stack: list[int] = []  # addresses of escaping locals, freed on return

    def lower(self) -> Function:
        """The finished function."""
        try:
            return self._lowered()
        except SourceError as error:
            if error.place is None:  # what refused the program does not know where it was
                place = self.place
                error.place = Place(place.file, place.line) if place else Place(self.module.file)
            raise

    def _lowered(self) -> Function:
        self.place = self.module.debug.function_position(self.function.metadata.get("dbg"))
        self.position = start = self.pools.position(self.place)
        count = self._parameters()
        entry = CodeBlock()
        self.start_block(entry)
        if self.function.name == "main" and self.module.shared_thread_locals:
            self.call(self.module.routine(BEGIN_OF_THREAD, 0), [])
        self._copy_byval()
        self._prepare()
        if self._is_section:
            self.emit(Op.BEGIN, results=0)
        self.jump(self._blocks[self.cfg.entry])
        for name in self.cfg.order:
            self._block(name)
        for name in self.cfg.order:
            self._edges(name)
        blocks = [entry, *self._blocks.values()]
        virtual = VirtualFunction(
            self.module.shown_name(self.function), count, self.registers, blocks, self.groups
        )
        return assemble(virtual, self.pools, self.frame_size, tuple(self.objects), start)

    @property
    def _is_section(self) -> bool:
        """Whether all of the function is an atomic section."""
        return self.function.name.startswith(_SECTION) and self.function.name not in _MARKS

    def _parameters(self) -> int:
        if self.function.name == "main":
            self._main_parameters()
            return 0
        for param in self.function.params:
            first = self.registers
            self.registers += len(ir.scalars(param.type))
            self.values[param.name] = tuple(range(first, self.registers))
        if self.function.varargs:
            self.variable_arguments = self.new_registers()
        return self.registers

    def _main_parameters(self) -> None:
        """main is called with one argument, the program's name, and no environment."""
        if self.function.params:
            arguments = (1, self.layout.main_arguments(), 0)
            for param, value in zip(self.function.params, arguments, strict=False):
                self.values[param.name] = (self.constant(value),)

    def _copy_byval(self) -> None:
        """A struct passed by value belongs to the callee, which copies it into an object of its own."""
        for param in self.function.params:
            if param.byval is not None:
                source = self.values[param.name][0]
                own = self._object(param.name, param.byval.size, param.byval.align)
                self.values[param.name] = (own,)
                copy_argument(self, own, source, param)

    def _prepare(self) -> None:
        """Gives names to what later blocks refer to before it is lowered: objects, phis, loops."""
        for name in self.cfg.order:
            for inst in self.cfg.blocks[name].insts:
                if inst.op == "phi":
                    leaves = len(ir.scalars(inst.type))
                    first = self.registers
                    self.registers += leaves
                    self.values[inst.result] = tuple(range(first, first + leaves))
                elif inst.op == "alloca" and name == self.cfg.entry and not inst.operands:
                    assert inst.source is not None
                    align = inst.indices[0] if inst.indices else 1
                    self.alloca_types[inst.result] = inst.source
                    self.values[inst.result] = (self._object(inst.result, inst.source.size, align),)
        insts = [inst for name in self.cfg.order for inst in self.cfg.blocks[name].insts]
        made = [i.result for i in insts if i.op == "alloca" and i.result not in self.alloca_types]
        self.dynamic = DynamicLocals(self, made)
        for loop in self.cfg.loops.values():
            self._prepare_loop(loop)

    def _object(self, name: str, size: int, align: int) -> Slot:
        """A local object: in the frame if it stays private, else an allocation freed on return."""
        if self.module.escape.escapes(self.function.name, name):
            return self._stack_object(name, size, align)
        own = self.frame_object(self.names.object_name(name), size, align)
        if self.frame_size > _LARGEST_FRAME:
            self._refuse_frame(name)
        return own

    def frame_object(self, name: str, size: int, align: int = _FRAME_ALIGN) -> Private:
        """A new object in the frame."""
        step = min(max(align, 1), _FRAME_ALIGN)
        offset = (self.frame_size + step - 1) // step * step
        self.objects.append(FrameObject(offset, size, name))
        self.frame_size = (offset + size + 7) // 8 * 8
        return Private(Op.FRAMEADDR, offset, size)

    def _refuse_frame(self, name: str) -> NoReturn:
        where = self.names.object_position(name)
        raise SourceError(
            ErrorCode.TOO_LARGE,
            f"the local variables of '{self.function.name}' take {self.frame_size} bytes",
            place=Place(where.file, where.line, where.column) if where else None,
            hint="a function may have up to 4 MiB of them; make them smaller for checking",
        )

    def _stack_object(self, name: str, size: int, align: int) -> int:
        before = self.position
        place = self.names.object_position(name)
        if place is not None:
            self.position = self.pools.position(place)
        operands = (self.constant(size), self.constant(max(align, 16)))
        register = self.emit(Op.ALLOC, *operands, x=AllocFlag.STACK, expr=self.names.object_name(name))
        self.position = before
        self.room[register] = size
        self._stack.append(register)
        return register

    def _prepare_loop(self, loop: CfgLoop) -> None:
        if self.function.is_library:
            return
        place = None
        for name in loop.back:
            last = self.cfg.blocks[name].insts[-1]
            place = place or self.module.debug.loop_position(last.metadata.get("llvm.loop"))
        if place is None:
            places = (
                self.module.debug.position(i.metadata.get("dbg")) for i in self.cfg.blocks[loop.header].insts
            )
            place = next((p for p in places if p is not None), self.place)
        position = self.pools.position(place)
        index = self.pools.loop(Loop(self.module.shown_name(self.function), position))
        counter = self.new_registers()
        is_constant = self.module.rounds.are_constant(self.function.name, loop)
        rounds = Rounds.CONSTANT if is_constant else Rounds.ANY
        self._counters[loop.header] = Code(Op.LOOP, counter, index, position=position, x=rounds)
        if loop.irreducible:
            self.append(Code(Op.MOV, counter, self.constant(0)))

    def bound_loop(self, bound: int) -> bool:
        """Bounds the innermost loop around this instruction; false if there is none."""
        around = [loop for loop in self.cfg.loops.values() if self._block_name in loop.body]
        if not around:
            return False
        self._counters[min(around, key=lambda loop: len(loop.body)).header].b = bound
        return True

    def _block(self, name: str) -> None:
        self._block_name = name
        self.start_block(self._blocks[name])
        for inst in self.cfg.blocks[name].insts:
            if inst.op not in _NO_CODE:
                self._locate(inst)
                self._instruction(inst)
        self._ends[name] = self.block

    def _locate(self, inst: ir.Inst) -> None:
        place = self.module.debug.position(inst.metadata.get("dbg"))
        if place is not None:
            self.place = place
            self.position = self.pools.position(place)

    def _instruction(self, inst: ir.Inst) -> None:
        look()
        slots = self.or_refusal(inst, self._checked)
        if slots is None:
            slots = [self.constant(0)] * len(ir.scalars(inst.type))
            if inst.op in ("ret", "br", "switch", "indirectbr"):
                self.append(Code(Op.UNREACHABLE))
        if inst.result and inst.result not in self.alloca_types:
            self.values[inst.result] = tuple(slots)

    def or_refusal(self, inst: ir.Inst, lower: Callable[[ir.Inst], list[Slot]]) -> list[Slot] | None:
        """What ``lower`` makes of an instruction. If that is refused, the code is a refusal instead."""
        block, length = self.block, len(self.block.code)
        try:
            return lower(inst)
        except RefusalError as construct:
            self.start_block(block)
            del block.code[length:]  # also the way to blocks that were begun
            self.refuse(str(construct))
            return None

    def _checked(self, inst: ir.Inst) -> list[Slot]:
        for computed, count in self._index_checks.get(id(inst), ()):
            check_index(self, computed, count)
        return self._lower(inst)

    def _lower(self, inst: ir.Inst) -> list[Slot]:
        op = inst.op
        if is_vector(inst):
            return lower_vector(self, inst)
        if op in arithmetic.LOWERINGS and computes_wide(inst):
            return lower_wide(self, inst)
        if op in arithmetic.LOWERINGS:
            return arithmetic.LOWERINGS[op](self, inst)
        if op in access.LOWERINGS:
            return access.LOWERINGS[op](self, inst, self.names)
        if op == "call":
            return lower_call(self, inst)
        if op == "alloca":
            return [] if inst.result in self.alloca_types else self.dynamic.allocate(inst)
        if op in ("br", "switch", "indirectbr", "ret", "unreachable"):
            return self._terminator(inst)
        raise RefusalError(f"the instruction '{op}'")

    def _terminator(self, inst: ir.Inst) -> list[Slot]:
        if inst.op == "ret":
            args = [operand for pair in inst.operands for operand in self.operands(*pair)]
            if self._is_section:
                self.emit(Op.END, results=0)
            for register in self._stack:
                self.emit(Op.FREE, register, x=AllocFlag.STACK, results=0)
            self.dynamic.end_all()
            self.append(Code(Op.RET, args=args))
        elif inst.op == "unreachable":
            self.append(Code(Op.UNREACHABLE))
        elif inst.op == "indirectbr":
            self._computed_goto(inst)
        elif inst.op == "switch":
            type_, value = inst.operands[0]
            check_type(type_)
            targets = [self._blocks[label] for label in [*inst.labels[1:], inst.labels[0]]]
            self.append(Code(Op.SWITCH, a=self.operand(type_, value), cases=inst.indices, targets=targets))
        elif inst.operands:
            yes, no = (self._blocks[label] for label in inst.labels)
            self.branch(self.operand(*inst.operands[0]), yes, no)
        else:
            self.jump(self._blocks[inst.labels[0]])
        return []

    def _computed_goto(self, inst: ir.Inst) -> None:
        """A switch over the addresses of the labels; any other address is undefined behaviour."""
        addresses = [self.layout.label(self.function.name, label) for label in inst.labels]
        targets = [self._blocks[label] for label in inst.labels]
        nowhere = CodeBlock([Code(Op.UNREACHABLE, position=self.position)])
        where = self.operand(*inst.operands[0])
        self.append(Code(Op.SWITCH, a=where, cases=addresses, targets=[*targets, nowhere]))

    def _edges(self, name: str) -> None:
        """Puts the code of outgoing edges in place, splitting an edge where its source has several."""
        last = self._ends[name].terminator()
        for i, target in enumerate(last.targets):
            code = self._edge_code(name, self._labels[target]) if target in self._labels else []
            if not code:
                continue
            if len(last.targets) == 1:
                self._ends[name].code[-1:-1] = code
            else:
                last.targets[i] = CodeBlock([*code, Code(Op.JMP, targets=[target])])

    def _edge_code(self, name: str, label: str) -> list[Code]:
        code: list[Code] = []
        pairs: list[tuple[int, int]] = []
        for inst in self.cfg.blocks[label].insts:
            if inst.op == "phi":
                pairs += self._incoming(inst, name, code)
        if pairs:
            code.append(Code(COPIES, copies=pairs))
        loop = self.cfg.loops.get(label)
        if loop is not None and label in self._counters:
            counter = self._counters[label]
            if name in loop.back:
                code.append(
                    Code(Op.LOOP, counter.dst, counter.a, counter.b, position=counter.position, x=counter.x)
                )
            else:
                code.append(Code(Op.MOV, counter.dst, self.constant(0)))
        return code

    def _incoming(self, phi: ir.Inst, name: str, code: list[Code]) -> list[tuple[int, int]]:
        """The copies of one phi for an edge; addresses of private objects are made on the edge."""
        value = phi.operands[phi.labels.index(name)][1]
        self.start_block(CodeBlock())
        try:
            sources = self.operands(phi.type, value)
        except RefusalError as construct:
            self.refuse(str(construct))
            sources = [self.constant(0)] * len(ir.scalars(phi.type))
        code += self.block.code
        registers = [slot for slot in self.values[phi.result] if isinstance(slot, int)]
        return list(zip(registers, sources, strict=True))
