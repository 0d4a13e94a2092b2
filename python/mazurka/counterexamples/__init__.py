"""Counterexamples for people: a refutation of the prover as a word, a drawing, a C program and a litmus test.

``counterexample`` makes a refutation as simple as possible; ``word_text``, ``svg``, ``dot`` and ``html`` show
it, ``c_program`` and ``litmus_test`` write it as sources (``Unrealizable`` says what C lacks), and
``difference`` runs the program under the two models that it tells apart.
"""

from __future__ import annotations

from mazurka.counterexamples.difference import ModelDifference, ModelVerdict, difference
from mazurka.counterexamples.drawing import dot, html, svg
from mazurka.counterexamples.execution import Counterexample, counterexample
from mazurka.counterexamples.realise import Unrealizable
from mazurka.counterexamples.sources import c_program, litmus_test
from mazurka.counterexamples.word import word_term, word_text

__all__ = [
    "Counterexample",
    "ModelDifference",
    "ModelVerdict",
    "Unrealizable",
    "c_program",
    "counterexample",
    "difference",
    "dot",
    "html",
    "litmus_test",
    "svg",
    "word_term",
    "word_text",
]
