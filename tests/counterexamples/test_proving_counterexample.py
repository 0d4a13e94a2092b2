"""A counterexample with dependencies, between a model that the engine runs and one for proofs."""

from __future__ import annotations

from mazurka.counterexamples import c_program, counterexample, difference, word_text
from mazurka.prover import weaker
from refutations import by_hand, model

# The execution of lattice.tsv that rc11 allows and imm forbids: SC fences in order by relaxed accesses.
EVENTS = (
    *("F.sc", "R.acq.load", "W.sc.store", "F.sc"),
    *("W.rel.store", "R.rlx.load", "W.rlx.store", "R.rlx.load"),
)
STEPS = ("po", "fr", "po", "po", "rf", "data", "rf", "po")


def test_imm_is_not_weaker_than_rc11() -> None:
    queries = weaker(model("imm"), model("rc11"))
    (query,) = [query for query in queries if query.name == "imm-causality"]
    example = counterexample(query, by_hand(query, EVENTS, [(name, False) for name in STEPS]))
    assert word_text(example) == "[R];data;[W];rf;[R];po;[F.sc];po;[R];fr;[W];po;[F.sc];po;[W];rf"
    program = c_program(example)
    assert "atomic_store_explicit(&z, 1 + (r0 & 128), memory_order_relaxed);" in program
    assert difference(program, allowing="rc11", forbidding="imm").shown
