"""Where a loop is left, and which conditions decide it.

clang joins the ways out of a scope in one block, tells them apart by a phi of constants (``cleanup.dest``),
and does the same with ``&&`` in a condition. Such an exit is decided where the constant was chosen, not where
it is tested. An edge to blocks that only lead to ``unreachable`` is not an exit: the program fails there, as
in an assertion. Edges to blocks that end the thread or the program, as ``exit`` does, count as exits on
demand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.cfg import Cfg, CfgLoop

Leaves = Callable[[int], bool]
_ENDING = frozenset(("exit", "_exit", "_Exit", "quick_exit", "pthread_exit", "thrd_exit"))


class Exit(NamedTuple):
    """A block that decides whether a loop is left, and for which values of its condition, if it has one."""

    block: str
    condition: ir.Value | None
    leaves: Leaves


def ending_functions(module: ir.Module) -> set[str]:
    """The functions that end the thread or the program, without a failure, and those that only do so."""
    found = set(_ENDING)
    calls = {f.name: _called(f) for f in module.functions.values() if f.blocks and not _returns(f)}
    while grown := {name for name, called in calls.items() if called & found} - found:
        found |= grown
    return found


def _returns(function: ir.IrFunction) -> bool:
    return any(block.insts[-1].op == "ret" for block in function.blocks)


def _called(function: ir.IrFunction) -> set[str]:
    return {name for block in function.blocks for name in callees_of(block)}


def callees_of(block: ir.Block) -> Iterator[str]:
    for inst in block.insts:
        if inst.op == "call" and isinstance(inst.operands[0][1], ir.Symbol):
            yield inst.operands[0][1].name


def loop_exits(graph: Cfg, loop: CfgLoop, ending: Collection[str] = ()) -> list[Exit]:
    """All exits of a loop, and those to calls of functions that end the thread or the program."""
    found: list[Exit] = []
    ends = (
        [n for n in graph.order if any(name in ending for name in callees_of(graph.blocks[n]))]
        if ending
        else []
    )
    left_for = graph.alive | graph.blocks_between("", ends)
    for name in loop.body:
        last = graph.blocks[name].insts[-1]
        outside = {t for t in graph.successors[name] if t not in loop.body and t in left_for}
        if outside and last.operands:
            leaves = _leaves_to(last, outside)
            found += _exits_at(graph, loop, name, last.operands[0][1], leaves)
    return found


def _leaves_to(last: ir.Inst, outside: set[str]) -> Leaves:
    if last.op == "br":
        return lambda value: (last.labels[0] if value & 1 else last.labels[1]) in outside
    if last.op == "indirectbr":  # to which label an address leads is not known here
        return lambda value: False
    targets = dict(zip(last.indices, last.labels[1:], strict=True))
    return lambda value: targets.get(value, last.labels[0]) in outside


def _exits_at(graph: Cfg, loop: CfgLoop, name: str, condition: ir.Value, leaves: Leaves) -> Iterator[Exit]:
    """The exits behind a condition that a block looks at."""
    seen: tuple[ir.Value, Leaves] | None = (condition, leaves)
    while seen is not None and isinstance(seen[0], ir.Local):
        made = graph.definition(seen[0].name)
        if made is None or graph.block_of(made.result) != name:
            break
        if made.op == "phi" and name != loop.header:
            yield from _chosen(graph, name, made, seen[1])
            return
        seen = _looked_at(made, seen[1])
    yield Exit(name, condition, leaves)


def _looked_at(made: ir.Inst, leaves: Leaves) -> tuple[ir.Value, Leaves] | None:
    """The value behind a comparison of it with a constant, or behind a negation."""
    if made.op not in ("icmp", "xor") or len(made.operands) != 2:
        return None
    (_, value), (_, other) = made.operands
    if not isinstance(other, ir.Number):
        return None
    number = other.bits
    if made.op == "xor":
        return value, lambda seen: leaves(seen ^ number)
    if made.words[0] not in ("eq", "ne"):
        return None
    is_equality = made.words[0] == "eq"
    return value, lambda seen: leaves(int((seen == number) == is_equality))


def _chosen(graph: Cfg, name: str, phi: ir.Inst, leaves: Leaves) -> Iterator[Exit]:
    for (_, value), source in zip(phi.operands, phi.labels, strict=True):
        if not isinstance(value, ir.Number):
            yield Exit(source, value, leaves)
        elif leaves(value.bits):
            yield _decision(graph, source, name)


def _decision(graph: Cfg, source: str, target: str) -> Exit:
    """The branch that alone leads along an edge, if there is one."""
    while len(set(graph.successors[source])) == 1:
        before = graph.predecessors[source]
        if len(before) != 1:
            return Exit(source, None, lambda _: True)
        source, target = before[0], source
    last = graph.blocks[source].insts[-1]
    return Exit(source, last.operands[0][1], _leaves_to(last, {target}))
