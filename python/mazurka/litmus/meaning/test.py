"""A litmus test as a value: what it starts from, its threads, and its question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from mazurka.litmus.meaning.conditions import TRUE, Condition, Proposition, atoms
from mazurka.litmus.meaning.operations import Instruction, Operation
from mazurka.litmus.meaning.values import (
    InitialLocation,
    InitialRegister,
    Location,
    Observed,
    RegisterOf,
    Type,
)


class Language(Enum):
    """What the threads are written in."""

    AARCH64 = "AArch64"
    PPC = "PPC"
    RISCV = "RISCV"
    X86 = "X86"
    X86_64 = "X86_64"
    C11 = "C"
    KERNEL = "LKMM C"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a thread in C: it is the address of the location of that name."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Thread:
    """The code of a thread, and in C its parameters and variables."""

    instructions: tuple[Instruction, ...]
    parameters: tuple[Parameter, ...] = ()
    variables: tuple[str, ...] = ()

    @property
    def operations(self) -> Iterator[Operation]:
        """What the thread does, in the order of the text."""
        return (operation for instruction in self.instructions for operation in instruction.operations)


@dataclass(frozen=True, slots=True)
class LitmusTest:
    """A test of herd's format."""

    name: str
    language: Language
    file: str
    metadata: tuple[tuple[str, str], ...]
    registers: tuple[InitialRegister, ...]
    locations: tuple[InitialLocation, ...]
    threads: tuple[Thread, ...]
    condition: Condition
    filter: Proposition = TRUE
    shown: tuple[Observed, ...] = ()  # what ``locations`` lists

    @property
    def observed(self) -> tuple[Observed, ...]:
        """What a final state says: first registers, then locations, each once."""
        asked = (*atoms(self.condition.proposition), *atoms(self.filter))
        sides = (side for atom in asked for side in (atom.left, atom.right))
        elements = {x.name: len(x.values) for x in self.locations if x.is_array}
        shown = (
            one
            for item in self.shown
            for one in (
                [Location(item.name, n) for n in range(elements[item.name])]
                if isinstance(item, Location) and item.index is None and item.name in elements
                else [item]
            )
        )
        found = dict.fromkeys((*shown, *(s for s in sides if isinstance(s, RegisterOf | Location))))
        registers = sorted(
            (o for o in found if isinstance(o, RegisterOf)),
            key=lambda o: (o.thread, len(o.written), o.written),
        )
        places = sorted((o for o in found if isinstance(o, Location)), key=str)
        return (*registers, *places)
