"""What the engine misses under the kernel's model (LIMITS.md): a write that is done before the address of an
earlier access is known, and that this address depends on; and a compare-exchange that succeeds by a write
which is ordered after a read of what the compare-exchange writes.

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

GAP = """
irreflexive addr ; po ; [W] ; causes* as early-write
irreflexive rmw ; rfi ; causes+ as early-success
"""


@cache
def kernel_model_with_gap() -> Model:
    text = f'include "machines/lkmm.kat"\n{GAP}'
    return replace(load_text(text, str(Path(FOLDER, "lkmm.kat"))), ppo=None)
