"""What the strategy for structures draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from hypothesis import Phase, given, settings
from mazurka.reference import enumerate_executions, verify
from mazurka.testing import CompareExchange, FetchAdd
from mazurka.testing.structure_program import structure_program
from mazurka.testing.structure_strategies import structures
from mazurka.testing.structures import (
    Acquire,
    Argument,
    Delete,
    Destroy,
    Exit,
    Fill,
    Join,
    New,
    Require,
    Source,
    Spawn,
    Step,
    Structure,
    Use,
    When,
    all_steps,
)
from profiles import examples, heavy


@examples(ci=75, slow=150)
@given(structures(max_events=12, max_candidates=500))
def test_algorithm_1_agrees_with_brute_force(structure: Structure) -> None:
    program = structure_program(structure)
    expected, explored = enumerate_executions(program), verify(program)
    assert bool(expected.findings) == bool(explored.findings)
    if not expected.findings:
        assert len(explored.complete) == len(expected.complete)
        assert len(explored.blocked) == len(expected.blocked)


def object_with(fill: Fill) -> Callable[[Step], bool]:
    return lambda s: isinstance(s, New) and s.fill is fill


SHAPES: dict[str, Callable[[Step], bool]] = {
    "thread created in the middle of a thread": lambda s: (
        isinstance(s, Spawn) and any(isinstance(inner, Spawn) for inner in s.steps[1:-1])
    ),
    "thread created under a condition": lambda s: (
        isinstance(s, When) and any(isinstance(inner, Spawn) for inner in s.body)
    ),
    "join under a condition": lambda s: (
        isinstance(s, When) and any(isinstance(inner, Join) for inner in s.body)
    ),
    "join of what was given": lambda s: isinstance(s, Join) and s.source is Source.ARGUMENT,
    "join of what was published": lambda s: isinstance(s, Join) and s.source is Source.SHARED,
    "handle given": lambda s: isinstance(s, Spawn) and s.argument is Argument.HANDLE,
    "handle published": lambda s: isinstance(s, Spawn) and s.publish,
    "pointer given": lambda s: isinstance(s, Spawn) and s.argument is Argument.POINTER,
    "lock": lambda s: isinstance(s, Acquire) and not s.attempt,
    "trylock": lambda s: isinstance(s, Acquire) and s.attempt,
    "no unlock": lambda s: isinstance(s, Acquire) and not s.release,
    "read-modify-write through a pointer": lambda s: isinstance(s, Use) and isinstance(s.access, FetchAdd),
    "pointer not looked at": lambda s: isinstance(s, Use) and s.blind,
    "load that moves": lambda s: isinstance(s, Use) and s.moved,
    "free that takes": lambda s: isinstance(s, Delete) and s.exchange,
    "free that does not": lambda s: isinstance(s, Delete) and not s.exchange,
    "end of the program": lambda s: isinstance(s, Exit) and s.whole,
    "end of a mutex": lambda s: isinstance(s, Destroy),
    "assumption": lambda s: isinstance(s, Require),
    "compare-exchange": lambda s: isinstance(s, CompareExchange),
    **{f"object {fill.value}": object_with(fill) for fill in Fill},
}


@heavy
def test_every_shape_is_drawn() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=1_000, phases=[Phase.generate])
    @given(structures())
    def draw(structure: Structure) -> None:
        steps = list(all_steps(structure.steps))
        seen.update(name for name, matches in SHAPES.items() if any(map(matches, steps)))

    draw()
    assert {name for name in SHAPES if seen[name] < 5} == set()
