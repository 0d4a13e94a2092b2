"""What the prover knows of initial writes."""

from __future__ import annotations

import pytest
from mazurka.prover import Proved, Refuted
from prover_questions import answers

STATEMENTS = {
    "an initial write is a write": ("[INIT] <= [W]", Proved),
    "and no other kind of event": ("[INIT] & [R | F | TC | TJ | UW] = 0", Proved),
    "it has no access mode": ("[INIT] & [NA | RLX | REL | SC] = 0", Proved),
    "all other writes have one": (r"[W \ INIT] <= [NA | RLX | REL | SC]", Proved),
    "no thread has it": ("[INIT] ; (po | same-thread | rfi | coi) = 0", Proved),
    "it is first in co": ("co ; [INIT] = 0", Proved),
    "but not last": ("[INIT] ; co = 0", Refuted),
    "reads may read from it": ("[INIT] ; rf = 0", Refuted),
    "from-reads may pass through it": ("rf^-1 ; [INIT] ; co <= fr", Proved),
    "loc-overlap leaves it out": ("loc-overlap ; [INIT] = 0", Proved),
    "and so does not contain rf": ("rf <= loc-overlap", Refuted),
    "nor co": ("co <= loc-overlap", Refuted),
    "but contains them between other accesses": (r"[[] \ INIT] ; (rf | co | fr) <= loc-overlap", Proved),
}


@pytest.mark.parametrize(("claim", "expected"), STATEMENTS.values(), ids=STATEMENTS.keys())
def test_the_prover_knows_initial_writes(claim: str, expected: type) -> None:
    (answer,) = answers(f"assert {claim}")
    assert isinstance(answer, expected)
