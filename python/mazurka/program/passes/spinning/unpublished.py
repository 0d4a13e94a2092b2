"""Stores to an object that no other thread knows yet: a round may make them (thesis §9.2.2.4).

A push onto a stack allocates a node, and in each round sets the node's ``next`` and tries to publish the node
by a compare-exchange. As long as that fails, nobody else sees the store, and the next round makes it again.

A store of a loop is *unpublished* if

1. its address is computed from a register that holds the result of an ALLOC which comes before the loop on
   every path, and that nothing else writes in between or in the loop;
2. until the loop is left, what is computed from that register is only used to compute, to test and to access
   memory, and as the new value of a compare-exchange. It is neither stored nor passed on;
3. the loop is not entered again without another ALLOC;
4. it comes before every branch of the round, and before anything but computing and reading elsewhere, so
   the next round overwrites it before anybody reads it.

If the compare-exchange succeeds, the loop must be left: ``Stopping`` sees to that.
"""

from __future__ import annotations

from mazurka.program import CONST, Instr, Op
from mazurka.program.flow.loops import FlowLoop
from mazurka.program.instructions import FACTS, operands_of, registers_read, results_of
from mazurka.program.passes.spinning.code import Code


def unpublished_stores(code: Code, loop: FlowLoop) -> tuple[frozenset[int], frozenset[int]]:
    """The stores, and the registers that may hold addresses in their objects."""
    stores: set[int] = set()
    addresses: set[int] = set()
    is_simple = not loop.is_irreducible and _begins_with_store(code, loop)
    for allocation in _allocations_before(code, loop) if is_simple else ():
        known = _known_addresses(code, loop, allocation)
        if known is not None:
            found = _first_stores(code, loop, code.draft.code[allocation].dst, known)
            stores |= found
            addresses |= known if found else set()
    return frozenset(stores), frozenset(addresses)


def _begins_with_store(code: Code, loop: FlowLoop) -> bool:
    """Whether some store satisfies 4, whatever its address. There rarely is one: this saves the rest."""
    node, seen = loop.header, set[int]()
    while node in loop.body and node not in seen and len(code.draft.targets[node]) == 1:
        seen.add(node)
        op = code.draft.code[node].op
        if op == Op.STORE:
            return True
        if not (FACTS[op].is_pure or op in (Op.LOAD, Op.JMP, Op.NOP)):
            return False
        (node,) = code.draft.targets[node]
    return False


def _allocations_before(code: Code, loop: FlowLoop) -> list[int]:
    """The ALLOC instructions that every path to the loop passes, and that it passes again before the loop."""
    immediate, node, found = code.dominators.immediate, loop.header, []
    while node != code.graph.entry:
        node = immediate[node]
        if code.draft.code[node].op == Op.ALLOC and not _is_entered_again(code, loop, node):
            found.append(node)
    return found


def _is_entered_again(code: Code, loop: FlowLoop, allocation: int) -> bool:
    inside = set(range(len(code.draft.code))) - {allocation}
    return any(loop.header in code.graph.reached_within(node, inside) for node in code.exits(loop))


def _known_addresses(code: Code, loop: FlowLoop, allocation: int) -> frozenset[int] | None:
    """The registers that may hold addresses in an object; None if something else may learn one."""
    after = code.graph.reached_from(code.draft.targets[allocation])
    nodes = (after & code.graph.leading_to([loop.header])) | loop.body
    nodes.discard(allocation)
    instrs = [code.draft.code[node] for node in nodes]
    object_ = code.draft.code[allocation].dst
    if any(object_ in results_of(instr) for instr in instrs):
        return None
    known = {object_}
    while True:
        computing = (i for i in instrs if FACTS[i.op].is_pure and _reads(code, i, known))
        computed = {register for instr in computing for register in results_of(instr)}
        if computed <= known:
            break
        known |= computed
    return frozenset(known) if all(_is_harmless(code, instr, known) for instr in instrs) else None


def _reads(code: Code, instr: Instr, registers: set[int]) -> bool:
    return not registers.isdisjoint(registers_read(code.program, instr))


def _is_harmless(code: Code, instr: Instr, known: set[int]) -> bool:
    """Whether an instruction does not tell anybody an address."""
    if not _reads(code, instr, known) or FACTS[instr.op].is_pure:
        return True
    told = operands_of(code.program, instr)[1:] if instr.op in (Op.LOAD, Op.STORE) else ()
    if instr.op in (Op.LOAD, Op.STORE):
        return known.isdisjoint(told)
    if instr.op == Op.CAS:
        return known.isdisjoint((instr.a, instr.b))
    return instr.op in (Op.BR, Op.SWITCH)


def _first_stores(code: Code, loop: FlowLoop, object_: int, known: frozenset[int]) -> set[int]:
    """The stores to an object that come before every branch of a round, and before all but computing and
    reading elsewhere. Their addresses are always the same: they differ from the object's by constants.
    """
    node, found = loop.header, set()
    exact, seen = {object_}, set[int]()
    while node in loop.body and node not in seen and len(code.draft.targets[node]) == 1:
        seen.add(node)
        instr = code.draft.code[node]
        if instr.op == Op.STORE:
            if instr.a in exact:
                found.add(node)
        elif instr.op == Op.LOAD:
            if instr.a in known:
                break
        elif not (FACTS[instr.op].is_pure or instr.op in (Op.JMP, Op.NOP)):
            break
        moves = instr.op in (Op.STEP, Op.ADD) and instr.a in exact and bool(instr.b & CONST)
        exact = (exact | {instr.dst}) if moves else exact - set(results_of(instr))
        (node,) = code.draft.targets[node]
    return found
