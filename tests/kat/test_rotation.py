"""``rot`` is about words, for the prover: a model that contains it anywhere is refused and never run."""

from __future__ import annotations

import pytest
from mazurka.errors import ModelError
from mazurka.kat.language.load import load_text
from mazurka.soundness.requirements import plan_model

CAUSAL = "acyclic po | rf as causality"
PLACES = {
    "the only axiom": "irreflexive rot (po ; rf)",
    "acyclic": f"{CAUSAL}\nacyclic rot (po ; rf)",
    "part of an axiom": "acyclic po | rf | rot (co ; fr)",
    "empty": f"{CAUSAL}\nempty rot (po ; rf)",
    "coherence": f"{CAUSAL}\ncoherence rot (po ; rf)",
    "a difference": f"{CAUSAL}\nempty po \\ rot (po ; po)",
    "left of an inclusion": f"{CAUSAL}\nexport rot (po ; rf) <= po",
    "right of an inclusion": f"{CAUSAL}\nexport po ; rf <= rot po",
    "an error rule": f"{CAUSAL}\nerror turned unless rot (po ; rf) <= po",
    "the order of an error rule": f"{CAUSAL}\nerror turned unless [NA] ; po <= rot po",
    "a definition": f"{CAUSAL}\nlet turned = rot (po ; rf)\nacyclic turned",
    "a view": f"{CAUSAL}\nview turned = (rot (po ; rf))+\ncoherence turned",
    "a view that nothing uses": f"{CAUSAL}\nview turned = (rot (po ; rf))+",
    "a recursive view": f"{CAUSAL}\nview rec turned = po | rot (po ; rf) ; turned\ncoherence turned",
}


@pytest.mark.parametrize("unchecked", [False, True], ids=["checked", "unchecked"])
@pytest.mark.parametrize("text", PLACES.values(), ids=PLACES.keys())
def test_a_model_with_rot_is_not_run(text: str, unchecked: bool) -> None:
    with pytest.raises(ModelError, match="rot is only for the prover"):
        plan_model(load_text(text, "test.kat"), unchecked=unchecked)
