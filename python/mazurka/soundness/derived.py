"""What a model must order so that a causal order can be derived from its axioms (``kat.cat.causal``).

In graphs of the engine no value comes from nowhere: dependencies are in every causal order, whatever a model
says (``kat.planning.preserved``). So the derived order must have them from reads to writes. If it has not,
the model allows executions that are never explored.

I1: what is left out of the derived order to show this only makes it smaller.
"""

from __future__ import annotations

from functools import reduce

from mazurka.errors import ErrorCode, ModelError
from mazurka.kat.automata.builder import Builder
from mazurka.kat.automata.guarded import NotRegular
from mazurka.kat.automata.inclusion import included
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import place_of
from mazurka.kat.meaning.facts import DEPENDENCIES
from mazurka.kat.meaning.parts import rebuilt, relations_in
from mazurka.kat.meaning.rewrite import expand

# The result of a store conditional (SUCCESS) is of a location that nobody writes, so it is on no cycle.
_OTHER = terms.Both(terms.Primitive("LOC"), terms.Not(terms.Primitive("SUCCESS")))
_READ = terms.Guard(terms.Both(terms.Primitive("R"), _OTHER))
_WRITE = terms.Guard(terms.Primitive("W"))
_ADDR, _DATA, _CTRL, _PO = map(terms.Base, ("addr", "data", "ctrl", "po"))
# How people write what is needed, and what it is.
_NEEDED: dict[str, tuple[terms.Relation, ...]] = {
    "data ; [W]": (_READ, _DATA, _WRITE),
    "ctrl ; [W]": (_READ, _CTRL, _WRITE),
    "addr ; [W]": (_READ, _ADDR, _WRITE),
    "addr ; po ; [W]": (_READ, _ADDR, terms.Guard(_OTHER), _PO, _WRITE),
}


def unordered_dependencies(model: terms.Model) -> list[ModelError]:
    """The error that refuses a model whose axioms do not order dependencies."""
    assert model.ppo is not None
    order = terms.Plus(_regular(expand(model.ppo, model.views)))
    missing = [
        name for name, steps in _NEEDED.items() if not _is_within(reduce(terms.Sequence, steps), order)
    ]
    if not missing:
        return []
    about = (axiom.span for axiom in model.axioms if relations_in(axiom.relation) & DEPENDENCIES)
    return [
        ModelError(
            ErrorCode.BAD_MODEL,
            f"no axiom forbids cycles of {', '.join(missing)} and rf; "
            "executions in which values come from nowhere are never explored",
            place=place_of(next(about, None)),
            hint=f"add to the relation of an axiom that also has rfe: {' | '.join(missing)}; "
            "--unchecked-model leaves out such executions",
        )
    ]


def _is_within(needed: terms.Relation, order: terms.Relation) -> bool:
    builder = Builder({}, {})
    try:
        return included(builder.automaton(needed), builder.automaton(order))
    except NotRegular:
        return False


def _regular(term: terms.Relation) -> terms.Relation:
    """The term without its parts that have no automaton (I1)."""
    if isinstance(term, terms.Intersection | terms.Difference | terms.Fixpoint):
        return terms.Empty()
    if isinstance(term, terms.Base) and term.name == "detour":
        return terms.Empty()
    return rebuilt(term, _regular)
