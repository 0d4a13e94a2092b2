"""What ``.cat`` files mean: as the definitions of the language say, on random graphs (``naive_cat``)."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from mazurka.kat.language.load import load_model, load_text
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.parts import has_fixpoint
from mazurka.kat.meaning.show import show
from mazurka.kat.planning.checks import meaning_of
from mazurka.reference.relations import Relations
from naive_cat import NaiveCat
from plan_interpreter import Interpreter
from profiles import amount
from random_graphs import random_graph
from shipped_models import plan_of

DEFINITIONS = [
    "let x = po & (W * R)",
    "let x = po \\ (W * R)",
    "let x = (W * R | R * W) & po & loc",
    "let x = po & loc | rf & ext | co & int | fr \\ ext",
    "let x = (po | rf | co) & loc & ext",
    "let x = loc",
    "let x = loc \\ id",
    "let x = loc & (W * M) & ext",
    "let x = loc & (IW * _)",
    "let x = ~(po | po^-1) & loc",
    "let x = ext & int",
    "let x = int & (M * M)",
    "let x = ~ext",
    "let x = [W] ; po ; [R] & int",
    "let x = po & rf | po & co^-1",
    "let x = [domain(rf)] ; po ; [range(co)]",
    "let x = [W \\ domain(rf)] ; co?",
    "let x = [range(rmw) | IW] ; rf ; [domain([R] ; rmw)]",
    "let x = [~(W | R)] ; po ; [~domain(po)]",
    "let x = let f r = r ; r in f(po) | f rf",
    "let f = fun r -> fun s -> r ; [s] ; r let x = f po F | f co W",
    "let f a b = a * b \\ b * a let x = f W R & loc",
    "let rec x = po ; [W] ; x | rf",
    "let rec x = x ; rf | po & loc",
    "let rec x = po | rf | x ; x",
    "let rec x = rf ; y | po-loc and y = co | po ; x",
    "let rec x = rf | x ; y and y = po-loc | y ; x ; y",
    "let rec a = po-loc | b | c ; b | a ; a and c = a | d | c ; d | a ; c\n"
    "and b = rf | b ; a | d ; b and d = co | b | b ; c | d ; d\nlet x = a ; rmw | c ; id",
    "let rec x = rf | po-loc ; x ; co | x ; x",
    "let rec S = range([IW] ; rf) | range([S] ; po) let x = [S] ; po",
    "let rec S = domain(y) & R and y = [S] ; po | rf^-1 let x = y",
    "let po = po & int let x = po+ & po",
    "let x = 0 | po & 0",
    "let hb0 = (po | rf)+ let x = hb0 & loc",
    "let hb0 = (rf | co | fr)+ let x = hb0 & loc & ext",
    "let x = (SC | RLX) * (M \\ NA) & co",
    "let x = rfe? ; coe* ; fri+",
]


SC = plan_of("sc")  # any Plan will do where a program of its own is run


def term_of(text: str) -> terms.Relation:
    found = load_text(f"{text}\nacyclic po", "m.cat").definitions["x"]
    assert not isinstance(found, terms.Test)
    return found


@pytest.mark.parametrize("text", DEFINITIONS)
def test_definitions(text: str) -> None:
    term = term_of(text)
    for seed in range(amount(60, 120)):
        graph = random_graph(seed)
        expected = NaiveCat(graph).run(text)["x"]
        assert Relations(graph, {}).pairs(term) == expected, (seed, show(term))


# Fixpoints of several equations become fixpoints inside of others; names may be those of earlier ones.
RECURSIVE = [
    "let rec x = rf | x ; y and y = po-loc | y ; x ; y",
    "let rec x = rf | po-loc ; x ; co | x ; x",
    "let rec x = po-loc | y & (x ; co | rf) | z ; x and y = rf | x ; z ; y and z = co | y ; x | w & po\n"
    "and w = fr | z ; w ; y",
    "let rec x = rf | po-loc ; x ; co let y = x let rec x = y ; po-loc | co ; x ; y",
    "let rec x = rf | y & po and y = co | po-loc ; x ; y let z = x | y\n"
    "let rec y = z | y ; x ; y & po let x = y",
]


@pytest.mark.parametrize("text", RECURSIVE)
def test_programs_of_fixpoints(text: str) -> None:
    model = load_text(f"{text}\nempty x & loc as axiom", "m.cat")
    (axiom,) = model.axioms
    program = meaning_of(axiom, model.views)
    verdicts: Counter[bool] = Counter()
    for seed in range(amount(200)):
        graph = random_graph(seed)
        expected = not NaiveCat(graph).run(f"{text} let x = x & loc")["x"]
        assert Interpreter(SC, graph).matrix(program) == expected, (seed, show(axiom.relation))
        verdicts[expected] += 1
    assert verdicts[False]


OPERATORS = ("|", "&", "\\", ";")
RELATIONS = ("po", "rf", "co", "fr", "rmw", "loc", "int", "ext", "id", "po-loc", "rfe", "coi", "0")
SETS = ("R", "W", "F", "M", "IW", "_", "SC", "NA")


def random_relation(draw: random.Random, depth: int) -> str:
    """A random relation, as text."""
    if depth == 0:
        return draw.choice(RELATIONS)
    match draw.randrange(9):
        case 0:
            return f"[{random_set(draw, depth - 1)}]"
        case 1:
            return f"({random_set(draw, depth - 1)} * {random_set(draw, depth - 1)})"
        case 2:
            return f"({random_relation(draw, depth - 1)}){draw.choice(('+', '*', '?', '^-1'))}"
        case 3:
            return f"(~{random_relation(draw, depth - 1)} & po)"
    left, right = random_relation(draw, depth - 1), random_relation(draw, depth - 1)
    return f"({left} {draw.choice(OPERATORS)} {right})"


def random_set(draw: random.Random, depth: int) -> str:
    """A random set, as text."""
    if depth <= 0:
        return draw.choice(SETS)
    if draw.random() < 0.3:
        return f"{draw.choice(('domain', 'range'))}({random_relation(draw, depth - 1)})"
    left, right = random_set(draw, depth - 1), random_set(draw, depth - 1)
    return f"({left} {draw.choice(OPERATORS[:3])} {right})"


@pytest.mark.parametrize("part", range(4))
def test_random_definitions(part: int) -> None:
    for seed in range(part, amount(1_000, 2_000), 4):
        draw = random.Random(seed)
        text = f"let x = {random_relation(draw, draw.randint(1, 4))}"
        graph = random_graph(seed)
        term = term_of(text)
        assert Relations(graph, {}).pairs(term) == NaiveCat(graph).run(text)["x"], (seed, text, show(term))


REGULAR = {
    "let x = po & (W * R)": "[W] ; po ; [R]",
    "let x = po & loc": "po-loc",
    "let x = (rf | co) & ext": "rfe | coe",
    "let x = fencerel(F & SC)": "po ; [F & SC] ; po",
    "let rec x = po ; x | rf": "po* ; rf",
    "let rec x = po | rf | x ; x": "(po | rf)+",
    "let rec x = po | x ; po": "po+",
    "let x = [range(rmw)] ; rfi": "[UW] ; rfi",
    "let x = (lxsx | amo) & loc": "rmw",
    "let x = [range([A] ; amo ; [L])] ; po": "[UW & (AQ & RL)] ; po",
}


@pytest.mark.parametrize("text", REGULAR)
def test_regular_terms_stay_regular(text: str) -> None:
    assert show(term_of(text)) == REGULAR[text]


def test_a_recursion_without_a_regular_solution_is_a_fixpoint() -> None:
    assert has_fixpoint(term_of("let rec x = rf | x ; y and y = po-loc | y ; x ; y"))
    assert has_fixpoint(term_of("let rec x = rf | po-loc ; x ; co"))
    assert not has_fixpoint(term_of("let rec x = rf ; y | po-loc and y = co | po ; x"))


def test_powers_preserved_program_order_is_regular() -> None:
    """Paths in a graph with two nodes for each event: its initiation and its commit."""
    model = load_model(Path(__file__).resolve().parent / "cat" / "power.cat")
    assert not any(has_fixpoint(axiom.relation) for axiom in model.axioms)
