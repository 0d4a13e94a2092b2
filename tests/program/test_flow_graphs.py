"""Order, dominators and loops of random small graphs, against their definitions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from mazurka.program.flow.dominators import Dominators
from mazurka.program.flow.graph import FlowGraph
from mazurka.program.flow.loops import FlowLoop, exits_of, find_loops, parents_of

GRAPHS = (*range(400), 646, 4968)  # in the last two an irreducible loop overlaps another
Edges = list[tuple[int, ...]]


def drawn(seed: int) -> Edges:
    """A graph of up to 9 nodes with up to three successors each; sparse ones, dense ones, ones with twins."""
    random = Random(seed)
    count, most = random.randint(1, 9), random.randint(1, 3)
    return [tuple(random.choices(range(count), k=random.randint(0, most))) for _ in range(count)]


def reached(edges: Edges, starts: Iterable[int], without: int | None = None) -> set[int]:
    """The nodes that paths lead to which do not pass a node."""
    found: set[int] = set()
    left = [node for node in starts if node != without]
    while left:
        node = left.pop()
        if node not in found:
            found.add(node)
            left += [target for target in edges[node] if target != without]
    return found


def looped(edges: Edges) -> tuple[FlowGraph, dict[int, FlowLoop]]:
    graph = FlowGraph(edges)
    return graph, find_loops(graph, Dominators(graph))


def test_the_order_has_what_is_reachable_once() -> None:
    for seed in GRAPHS:
        edges = drawn(seed)
        graph = FlowGraph(edges)
        assert sorted(graph.order) == sorted(reached(edges, [0])), seed
        assert [graph.index[node] for node in graph.order] == list(range(len(graph.order))), seed
        assert {node for node in range(len(edges)) if graph.is_reachable(node)} == set(graph.order), seed
        for node in graph.order:
            leads = [other for other in graph.order for target in edges[other] if target == node]
            assert sorted(graph.predecessors[node]) == sorted(leads), seed
            assert graph.reached_from([node]) == reached(edges, [node]), seed
            before = {other for other in graph.order if node in reached(edges, [other])}
            assert graph.leading_to([node]) == before, seed


def test_dominators_are_on_every_path() -> None:
    for seed in GRAPHS:
        edges = drawn(seed)
        graph = FlowGraph(edges)
        dominators = Dominators(graph)
        for lower in graph.order:
            above = {
                upper for upper in graph.order if upper == lower or lower not in reached(edges, [0], upper)
            }
            assert {u for u in graph.order if dominators.dominates(u, lower)} == above, seed
            if lower != 0:
                closest = dominators.immediate[lower]
                assert closest in above - {lower}, seed
                assert all(dominators.dominates(other, closest) for other in above - {lower}), seed


def has_cycle(edges: Sequence[Sequence[int]]) -> bool:
    return any(node in reached([*map(tuple, edges)], edges[node]) for node in range(len(edges)))


def test_loops_are_what_they_say() -> None:
    for seed in GRAPHS:
        edges = drawn(seed)
        graph, loops = looped(edges)
        live = [edges[node] if graph.is_reachable(node) else () for node in range(len(edges))]
        back = {(node, loop.header) for loop in loops.values() for node in loop.back}
        assert all(header in edges[node] for node, header in back), seed
        assert not has_cycle([[t for t in row if (n, t) not in back] for n, row in enumerate(live)]), seed
        parents = parents_of(loops)
        for loop in loops.values():
            check_loop(edges, graph, loop, seed)
            around = [o for o in loops.values() if o is not loop and loop.body < o.body]
            above = parents[loop.header]
            if above is not None:
                parent = loops[above]
                assert loop.body <= parent.body, seed
                assert all(len(parent.body) <= len(other.body) for other in around), seed
            else:
                assert not around, seed


def check_loop(edges: Edges, graph: FlowGraph, loop: FlowLoop, seed: int) -> None:
    inside = {
        node
        for node in graph.order
        if node in reached(edges, [loop.header])
        and (node == loop.header or reached(edges, [node], loop.header) & set(loop.back))
    }
    assert loop.body == inside, seed
    leaving = {(n, t) for n in inside for t in edges[n] if t not in inside}
    assert sorted(exits_of(graph, loop)) == sorted(leaving), seed
    jumping = {node for node in graph.order if loop.header in edges[node]}
    assert jumping == set(loop.entries) | set(loop.back), seed
    assert not set(loop.entries) & set(loop.back), seed
    entered = reached(edges, [0], loop.header) & inside
    assert loop.is_irreducible == bool(entered), seed


def test_natural_loops_are_nested_or_apart() -> None:
    natural = 0
    for seed in GRAPHS:
        loops = [loop for loop in looped(drawn(seed))[1].values() if not loop.is_irreducible]
        natural += len(loops)
        for one in loops:
            for other in loops:
                apart = not one.body & other.body
                assert apart or one.body <= other.body or other.body <= one.body, seed
    assert natural > len(GRAPHS) / 4, "too few of the drawn graphs have loops"


def test_a_region_with_two_entries_is_irreducible() -> None:
    graph, loops = looped([(1, 2), (2, 3), (1,), ()])
    (loop,) = loops.values()
    assert loop.is_irreducible
    assert loop.body == {1, 2}
    assert exits_of(graph, loop) == [(1, 3)]
