"""What the engine misses under models of machines (LIMITS.md).

A compare-exchange that succeeds by a write which is ordered after a read of what the compare-exchange writes,
where its thread reads that early; and, under the kernel's model, a write that is done before the address of
an earlier access is known, and that this address depends on.

The axioms forbid slightly more than that: where a thread reads its own exchange early, the engine finds what
they forbid. So the engine finds what the model allows with these axioms, and nothing that it forbids without.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from mazurka.kat.language.load import load_text
from mazurka.kat.meaning.terms import Model
from mazurka.models.registry import FOLDER

GAPS = {
    "armv8": """
let causes = dependent | atomic | barrier-ordered | detour | addr | data | ctrl | rf
irreflexive rmw ; rfi ; causes+ as early-success
""",
    "lkmm": """
irreflexive addr ; po ; [W] ; causes* as early-write
irreflexive rmw ; rfi ; causes+ as early-success
""",
}


@cache
def model_with_gap(name: str) -> Model:
    """One of the models with a gap, with axioms that forbid what the engine may miss."""
    text = f'include "machines/{name}.kat"\n{GAPS[name]}'
    return replace(load_text(text, str(Path(FOLDER, f"{name}.kat"))), ppo=None)
