"""Functions that wait by calling themselves, as the last thing that they do: these calls are rounds, too."""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.program import Op
from mazurka.program.passes.spinning.code import Code
from mazurka.program.passes.spinning.editing import Editing
from mazurka.program.passes.spinning.walking import Round
from mazurka.program.passes.spinning.ways import Ways


def stop_recursion(
    editing: Editing, callees: dict[int, Code], index: int, number: int, *, exchanges: bool
) -> bool:
    """Puts SPIN in place of a function's calls of itself that change nothing; False if there are none."""
    draft = editing.draft
    code = Code(draft)
    calls = frozenset(_tail_calls(code, index))
    if not calls or code.live(draft.entry) >> draft.function.params:
        return False
    nodes = frozenset(code.graph.order)
    ways = Ways(
        Round(code, callees, draft.entry, draft.entry, nodes, self_calls=calls, may_write_back=exchanges)
    ).all()
    impure = {way.mark for way in ways if way.hindrance is not None}
    pure = {way.mark for way in ways} - impure
    for call in sorted(pure):
        editing.stop_call(call, number)
    return bool(pure)


def _tail_calls(code: Code, index: int) -> Iterator[int]:
    """The calls of a function by itself of which it returns the results."""
    draft = code.draft
    for node in code.graph.order:
        instr = draft.code[node]
        if instr.op != Op.CALL or instr.a != index:
            continue
        (after,) = draft.targets[node]
        while draft.code[after].op in (Op.JMP, Op.NOP):
            (after,) = draft.targets[after]
        last = draft.code[after]
        results = tuple(range(instr.dst, instr.dst + instr.x))
        if last.op == Op.RET and code.program.lists[last.c] == results:
            yield node
