"""The command line: ``mazurka check``, ``prove`` and ``models``. ``docs/reference/cli.md`` is its contract.

Exit status: 0 verified or proved, 1 a violation or refuted, 2 bad input or usage, 3 bounded, interrupted or
unknown, 70 a bug in Mazurka.
No input ends in a traceback: whatever prevents an answer is a ``MazurkaError``, printed with place and cure.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from mazurka import __version__
from mazurka.cache import disk
from mazurka.checking.check import EQUIVALENCES, MIXED_SIZES, VOLATILE, check, foreseen
from mazurka.checking.outcome import Outcome
from mazurka.cli.terminal import (
    check_writable,
    complain,
    has_colour,
    interrupted,
    never_fail_to_encode,
    print_text,
    width,
    write_text,
)
from mazurka.errors import ErrorCode, InternalError, MazurkaError, UsageError
from mazurka.models.registry import DEFAULT_MODEL

EXIT_STATUS = {"verified": 0, "violation": 1, "bounded": 3, "interrupted": 3}
BAD_INPUT = 2
OUR_BUG = 70
OUTPUTS = ("json", "svg", "dot", "program", "litmus")  # options that name a file to write


class _Parser(argparse.ArgumentParser):
    """Raises the errors that argparse would print, so that all errors look alike."""

    def error(self, message: str) -> NoReturn:
        code = ErrorCode.BAD_VALUE if ": invalid " in message else ErrorCode.USAGE
        raise UsageError(code, message, hint=_help_hint(self.prog))

    def _print_message(self, message: str, file: object = None) -> None:
        """Prints help and version like everything else: argparse would ignore a failure."""
        print_text(message)


def _help_hint(prog: str) -> str:
    return f"'{prog} --help' lists the options and arguments"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        never_fail_to_encode(stream)
    options = argparse.Namespace()
    try:
        with foreseen():
            options = _parse(arguments)
            for option in OUTPUTS:
                check_writable(getattr(options, option, None), f"--{option}")
            return _run(options)
    except MazurkaError as error:
        return _print_error(error, arguments, options)
    except KeyboardInterrupt:
        return interrupted()


def _run(options: argparse.Namespace) -> int:
    if options.command == "models":
        return _models(options)
    if options.command == "prove":
        from mazurka.cli.prove import run_prove

        return run_prove(options)
    return _check(options)


def _parse(arguments: list[str]) -> argparse.Namespace:
    """Options; what follows ``--`` goes to the compiler."""
    own, cflags = arguments, []
    if "--" in arguments:
        split = arguments.index("--")
        own, cflags = arguments[:split], arguments[split + 1 :]
    options, unknown = _parser().parse_known_args(own)
    if options.command == "check":
        # files may stand between options, and argparse takes only those that stand together
        options.files += [word for word in unknown if not word.startswith("-")]
        unknown = [word for word in unknown if word.startswith("-")]
        cflags = [*options.cflags, *cflags]
    if unknown:
        message = f"unknown option or argument '{unknown[0]}'"
        hint = _help_hint(f"mazurka {options.command}")
        if os.path.exists(unknown[0]):
            hint = f"if you mean the file of that name, write ./{unknown[0]}"
        raise UsageError(ErrorCode.UNKNOWN_OPTION, message, hint=hint)
    options.cflags = cflags
    return options


def _parser() -> _Parser:
    parser = _Parser(
        prog="mazurka",
        description="Checks concurrent C programs against memory models, and proves facts about the models.",
        epilog="exit status: 0 verified or proved, 1 violation or refuted, 2 bad input or usage, "
        "3 bounded, interrupted or unknown, 70 a bug in Mazurka",
        allow_abbrev=False,
        formatter_class=_help_formatter,
    )
    parser.add_argument("--version", action="version", version=f"mazurka {__version__}")
    # given explicitly: otherwise argparse lays out a usage line to find it
    commands = parser.add_subparsers(prog="mazurka", dest="command", metavar="COMMAND", required=True)
    _add_models(commands)
    _add_check(commands)
    _add_prove(commands)
    return parser


def _help_formatter(prog: str) -> argparse.HelpFormatter:
    """With an explicit width: argparse makes a formatter per option, and loads much to find the width."""
    return argparse.HelpFormatter(prog, width=width() - 2)


def _add_models(commands: argparse._SubParsersAction[_Parser]) -> None:
    add = commands.add_parser(
        "models",
        help="list the memory models, or show one",
        usage="mazurka models [--explain] [NAME|FILE] | --lattice [OPTIONS]",
        allow_abbrev=False,
        formatter_class=_help_formatter,
    ).add_argument
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


def memory_size(text: str) -> int:
    """Bytes: a number with an optional unit; each unit is 1024 times the previous one."""
    parts = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]+)?)([KMGT]?)", text.upper())
    if parts is None:
        hint = "give a number and a unit, K, M, G or T, such as 500M or 2G"
        raise UsageError(ErrorCode.BAD_VALUE, f"'{text}' is not an amount of memory", hint=hint)
    return int(float(parts[1]) * (1 << 10 * " KMGT".index(parts[2] or " ")))


def _flag(name: str) -> Callable[[str], str]:
    """A flag of the compiler that may stand among the options."""
    return lambda value: name + value


def _add_check(commands: argparse._SubParsersAction[_Parser]) -> None:
    add = commands.add_parser(
        "check",
        help="explore every execution of a C program",
        usage="mazurka check [OPTIONS] FILE… [-- CFLAGS…]",
        allow_abbrev=False,
        formatter_class=_help_formatter,
    ).add_argument
    add("files", metavar="FILE", nargs="*", help="the files of the program: C, C++, or LLVM IR (.ll, .bc)")
    add(
        "-I",
        metavar="DIR",
        dest="cflags",
        action="append",
        type=_flag("-I"),
        default=[],
        help="look for headers there, too",
    )
    add("-D", metavar="NAME[=VALUE]", dest="cflags", action="append", type=_flag("-D"), help="define a macro")
    add(
        "--compile-commands",
        metavar="PATH",
        help="take each file's flags from a compile_commands.json, or from the one in a folder; "
        "without files, take all of its files",
    )
    add(
        "--model",
        metavar="NAME|FILE",
        default=DEFAULT_MODEL,
        help=f"memory model: a name that 'mazurka models' lists, or a .kat file (default {DEFAULT_MODEL})",
    )
    add(
        "--unchecked-model",
        action="store_true",
        help="run a model even if the exploration is not known to be complete for it",
    )
    add(
        "--equivalence",
        metavar="|".join(EQUIVALENCES),
        default="co",
        help="which executions count as one: same reads-from and coherence (co, the default), "
        "or same reads-from (rf)",
    )
    add(
        "--unroll",
        metavar="N|PLACE=N,…",
        help="cut loops after N iterations: all of them, those of a function (push=3), "
        "or the one in a line (queue.c:41=5)",
    )
    add(
        "--no-spin-assume",
        dest="spin_assume",
        action="store_false",
        help="explore rounds of wait loops that change nothing, too (needs --unroll)",
    )
    add(
        "--no-dynamic-spin-assume",
        dest="dynamic_spin_assume",
        action="store_false",
        help="the same for loops whose rounds change nothing in some executions only",
    )
    add(
        "--no-zero-net-effect",
        dest="zero_net_effect",
        action="store_false",
        help="the same for rounds that take back what they wrote",
    )
    add(
        "--no-reshape-loops",
        dest="reshape_loops",
        action="store_false",
        help="do not rotate loops, or merge them with equal code, to find such rounds",
    )
    add(
        "--no-liveness",
        dest="liveness",
        action="store_false",
        help="do not report threads that wait for ever, in loops, for mutexes or for each other",
    )
    add("--schedule-seed", metavar="N", type=int, help="explore in another order; the counts stay the same")
    add("--time-limit", metavar="S", type=float, help="stop after S seconds, compiling included")
    add(
        "--memory-limit",
        metavar="SIZE",
        type=memory_size,
        help="stop when the process takes more memory, such as 500M or 2G "
        "(default: half of the memory available to it)",
    )
    add(
        "--workers",
        metavar="N",
        type=int,
        help="explore with N workers (default: one per core); the result stays the same",
    )
    add("--json", metavar="PATH|-", help="write the result as JSON to a file, or to standard output")
    add("--strict", action="store_true", help="reject what C forbids and older compilers accept")
    add(
        "--volatile",
        metavar="|".join(VOLATILE),
        default="plain",
        help="what volatile accesses are: plain ones, which may race (the default), or atomic ones",
    )
    add("--cc", metavar="PATH", help="the clang to use (default: $MAZURKA_CC, else the bundled one)")
    add("--verbose", action="store_true", help="show what the program prints and what each axiom forbade")
    add("--calls", action="store_true", help="show the functions through which a line accesses memory")
    add("--explain", action="store_true", help="say of each loop what was done, and if nothing, why not")
    add(
        "--symmetry",
        choices=("auto", "off"),
        default="auto",
        help="explore all executions, also those that differ only in which of several threads that run the "
        "same did what (default: auto, one for all)",
    )
    add(
        "--mixed-size",
        metavar="|".join(MIXED_SIZES),
        default="auto",
        help="accesses of several sizes to the same bytes: explore byte by byte if there are any "
        "(auto, the default) or from the start (on), or refuse the program (off)",
    )
    add(
        "--no-load-annotations",
        dest="load_annotations",
        action="store_false",
        help="explore and count executions in which a thread stopped right after a read that "
        "could have seen a later write",
    )
    add(
        "--no-postponing",
        dest="postpones",
        action="store_false",
        help="explore also acquisitions of mutexes that have to wait; no count depends on it",
    )
    add(
        "--no-confirmations",
        dest="confirmations",
        action="store_false",
        help="explore and count executions in which a confirming compare-exchange sees another write "
        "than the load before it",
    )
    add(
        "--no-helping",
        dest="helping",
        action="store_false",
        help="explore and count executions in which a helping compare-exchange does what the helped one "
        "can do itself",
    )
    add(
        "--audit",
        action="store_true",
        help="check every choice a second time, directly against the axioms (slow)",
    )
    add("--allow-bounded", action="store_true", help="exit with 0 when only a loop bound was reached")
    add("--fail-on-vacuous", action="store_true", help="exit with 3 when no execution ran to its end")
    add(
        "--no-cache",
        action="store_true",
        help="compile and plan again, and cache nothing (as MAZURKA_CACHE=off does)",
    )


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


def _as_written(prog: str) -> argparse.HelpFormatter:
    """Keeps the line breaks of a description."""
    return argparse.RawDescriptionHelpFormatter(prog, width=width() - 2)


def _add_prove(commands: argparse._SubParsersAction[_Parser]) -> None:
    add = commands.add_parser(
        "prove",
        help="decide claims about memory models",
        usage="mazurka prove [OPTIONS] FILE.kat… | QUESTION ARGUMENT…",
        description=_QUESTIONS,
        epilog="exit status: 0 all proved, 1 some refuted, 2 bad input or usage, "
        "3 none refuted, but some unknown",
        allow_abbrev=False,
        formatter_class=_as_written,
    ).add_argument
    add("asked", metavar="FILE.kat|QUESTION", nargs="+", help="files with assertions, or a question")
    add("--time-limit", metavar="S", type=float, help="stop after S seconds; remaining claims are unknown")
    add(
        "--memory-limit",
        metavar="SIZE",
        type=memory_size,
        help="stop when the process takes more memory, such as 2G (default: half of the memory "
        "available to it); remaining claims are unknown",
    )
    add("--allow-unused", action="store_true", help="ignore assumptions that cannot be used")
    add("--json", metavar="PATH|-", help="write the answers as JSON to a file, or to standard output")
    add("--svg", metavar="PATH|-", help="draw the execution that refutes the first refuted claim")
    add("--dot", metavar="PATH|-", help="write that execution for Graphviz")
    add("--program", metavar="PATH|-", help="write that execution as a C program whose assertion fails")
    add("--litmus", metavar="PATH|-", help="write that execution as a litmus test for herd")


def _models(options: argparse.Namespace) -> int:
    from mazurka.cli.models import explained, listing, page

    if options.lattice:
        from mazurka.cli.prove import run_lattice

        return run_lattice(options)
    given = next((o for o in ("svg", "dot", "time_limit") if getattr(options, o) is not None), None)
    if given is not None:
        message = f"--{given.replace('_', '-')} needs --lattice"
        raise UsageError(ErrorCode.USAGE, message, hint="mazurka models --lattice")
    if options.model is None:
        if options.explain:
            raise UsageError(ErrorCode.USAGE, "--explain needs a model", hint="mazurka models --explain rc11")
        print_text(listing())
    elif options.explain:
        print_text(explained(options.model, unchecked=options.unchecked_model))
    else:
        print_text(page(options.model))
    return 0


def _check(options: argparse.Namespace) -> int:
    if options.no_cache:
        os.environ[disk.SWITCH] = "off"
    outcome = check(
        options.files,
        model=options.model,
        equivalence=options.equivalence,
        unchecked_model=options.unchecked_model,
        audit=options.audit,
        unroll=options.unroll,
        spin_assume=options.spin_assume,
        dynamic_spin_assume=options.dynamic_spin_assume,
        zero_net_effect=options.zero_net_effect,
        reshape_loops=options.reshape_loops,
        liveness=options.liveness,
        schedule_seed=options.schedule_seed,
        time_limit=options.time_limit,
        memory_limit=options.memory_limit,
        workers=options.workers,
        cc=options.cc,
        cflags=options.cflags,
        compile_commands=options.compile_commands,
        verbose=options.verbose,
        load_annotations=options.load_annotations,
        confirmations=options.confirmations,
        helping=options.helping,
        postpones=options.postpones,
        symmetry=options.symmetry != "off",
        mixed_size=options.mixed_size,
        strict=options.strict,
        volatile=options.volatile,
    )
    _show(outcome, options)
    if outcome.vacuous and (options.fail_on_vacuous or outcome.verdict == "bounded"):
        return EXIT_STATUS["bounded"]
    if outcome.verdict == "bounded" and options.allow_bounded:
        return 0
    return EXIT_STATUS[outcome.verdict]


def _show(outcome: Outcome, options: argparse.Namespace) -> None:
    """Prints the answer. If that fails, the error message contains the verdict, so that it is not lost."""
    from mazurka.report import as_json, as_text

    try:
        if options.json != "-":
            text = as_text(
                outcome,
                width=width(),
                colour=has_colour(sys.stdout),
                verbose=options.verbose,
                explain=options.explain,
                calls=options.calls,
            )
            print_text(text)
        if options.json is not None:
            write_text(options.json, as_json(outcome, explain=options.explain))
    except UsageError as error:
        error.message += f"; the verdict was '{outcome.verdict}'"
        raise


def _print_error(error: MazurkaError, arguments: list[str], options: argparse.Namespace) -> int:
    """Prints an error, also as JSON if requested, and returns the exit status."""
    json_path, explain = getattr(options, "json", None), getattr(options, "explain", False)
    prefix = "" if error.place else "mazurka: "
    complain(f"{prefix}{error}")
    if isinstance(error, InternalError):
        import shlex

        complain(f"  replay: mazurka {shlex.join(arguments)}{_origin(error)}")
    if explain:
        _explain_refusal(error)
    if json_path is not None and error.code != ErrorCode.CANNOT_WRITE:
        from mazurka.report import error_as_json

        try:
            write_text(json_path, error_as_json(error, explain=explain))
        except UsageError as failure:
            complain(f"mazurka: {failure}")
    return OUR_BUG if isinstance(error, InternalError) else BAD_INPUT


def _explain_refusal(error: MazurkaError) -> None:
    """Prints what is known about the loops of a program that was refused."""
    from mazurka.checking.refusals import RefusedError

    if isinstance(error, RefusedError):
        from mazurka.report.loops import loop_lines

        for line in loop_lines(error.program, error.keeps_rounds, error.loop_facts, refused=True):
            complain(line)


def _origin(error: InternalError) -> str:
    """Where in our own code the cause was raised."""
    trace = error.__cause__.__traceback__ if error.__cause__ else None
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    return f"\n  raised in: {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
