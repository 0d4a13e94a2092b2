"""The options of ``mazurka models``, ``mazurka prove`` and ``mazurka litmus``.

They are apart from those of ``mazurka check`` so that a check need not load them.
"""

from __future__ import annotations

import argparse

from mazurka.cli.check_options import memory_size

_QUESTIONS = """\
Decides the assertions of files, or a question about models:

  weaker A B             does A allow every execution that B allows?
  equivalent A B         do A and B allow the same executions?
  compiles SOURCE TARGET can programs for SOURCE be compiled to TARGET?
  reorder MODEL 'R ; W'  may a read and a later write be swapped? (R.rlx, W.rel, F.sc, …)
  no-thin-air MODEL      is it impossible for a read to depend on itself?
  monotone MODEL         do more fences, stronger modes and fewer threads never allow new executions?

A model is a name that 'mazurka models' lists, a model for proofs (imm, armv8, power, x86, …), or
the path of a .kat file. A refutation is an execution; the options below write it to files."""


def add_models_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``models``."""
    add = parser.add_argument
    add(
        "model",
        metavar="NAME|FILE",
        nargs="?",
        help="the model to show (default: list those that can be run)",
    )
    add("--explain", action="store_true", help="show how the engine checks each axiom, and why")
    add("--unchecked-model", action="store_true", help=argparse.SUPPRESS)
    add(
        "--lattice", action="store_true", help="prove which models are weaker than others, and draw the order"
    )
    add("--svg", metavar="PATH|-", help="write the lattice as a picture")
    add("--dot", metavar="PATH|-", help="write the lattice for Graphviz")
    add("--time-limit", metavar="S", type=float, help="stop proving after S seconds")


def add_prove_options(parser: argparse.ArgumentParser) -> None:
    """The questions and options of ``prove``."""
    parser.description = _QUESTIONS
    add = parser.add_argument
    add("asked", metavar="FILE.kat|QUESTION", nargs="+", help="files with assertions, or a question")
    add(
        "--time-limit",
        metavar="S",
        type=float,
        help="stop after S seconds, and leave the remaining claims unknown",
    )
    add(
        "--memory-limit",
        metavar="SIZE",
        type=memory_size,
        help="stop when the process takes more memory, such as 2G (default: half of the memory "
        "available to it), and leave the remaining claims unknown",
    )
    add("--allow-unused", action="store_true", help="ignore assumptions that cannot be used")
    add("--json", metavar="PATH|-", help="write the answers as JSON to a file, or to standard output")
    add("--svg", metavar="PATH|-", help="draw the execution that refutes the first refuted claim")
    add("--dot", metavar="PATH|-", help="write that execution for Graphviz")
    add("--html", metavar="PATH|-", help="write that execution as a page for browsers")
    add("--program", metavar="PATH|-", help="write that execution as a C program whose assertion fails")
    add("--litmus", metavar="PATH|-", help="write that execution as a litmus test for herd")


def add_litmus_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``litmus``."""
    add = parser.add_argument
    add("files", metavar="FILE|FOLDER", nargs="+", help="tests, or folders of files that end in .litmus")
    add("--model", metavar="NAME|FILE", help="the memory model (default: that of the test's language)")
    add(
        "--unchecked-model",
        action="store_true",
        help="run a model even if the exploration is not known to be complete for it",
    )
    add("--unroll", metavar="N", type=int, help="follow branches backwards at most N times each")
    add("--time-limit", metavar="S", type=float, help="give up a test after S seconds")
    add("--workers", metavar="N", type=int, help="run N tests at once (default: one per core)")
    add(
        "--why-not",
        metavar="CONDITION",
        help="say which axiom forbids this outcome, such as '1:r1=1 /\\ 1:r2=0', and show the cycle",
    )
    add("--dot", metavar="PATH|-", help="write an execution that decides the first test for Graphviz")
    add("--json", metavar="PATH|-", help="write the answers as JSON to a file, or to standard output")
    add("--junit", metavar="PATH|-", help="write the verdicts as JUnit XML, one test case per test")
