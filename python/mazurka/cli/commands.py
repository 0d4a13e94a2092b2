"""The command line: ``check``, ``estimate``, ``fix``, ``tune``, ``litmus``, ``prove``, ``models``.

``docs/reference/cli.md`` is its contract.

Exit status: 0 verified or proved, 1 a violation or refuted, 2 bad input or usage, 3 bounded, interrupted or
unknown, 70 a bug in Mazurka.
No input ends in a traceback: whatever prevents an answer is a ``MazurkaError``, printed with place and cure.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

from mazurka import __version__
from mazurka.cache import disk
from mazurka.checking.check import check, foreseen
from mazurka.checking.outcome import Outcome
from mazurka.cli.check_options import add_check_options, add_repair_options, memory_size
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
from mazurka.errors import ErrorCode, InternalError, MazurkaError, Place, UsageError
from mazurka.models.registry import DEFAULT_MODEL

if TYPE_CHECKING:
    from mazurka.checking.exploring import Watcher

EXIT_STATUS = {"verified": 0, "violation": 1, "bounded": 3, "interrupted": 3}
BAD_INPUT = 2
OUR_BUG = 70
CHECK_OUTPUTS = ("json", "witness", "html", "svg", "dot")  # those of them that ``check`` has
OUTPUTS = (*CHECK_OUTPUTS, "program", "litmus", "output")  # all options that name a file to write


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
    if options.command == "litmus":
        from mazurka.cli.litmus import run_litmus

        return run_litmus(options)
    if options.command == "estimate":
        from mazurka.cli.estimate import run_estimate

        return run_estimate(options, lambda probe: _checked(options, probe))
    if options.command in ("fix", "tune"):
        from mazurka.cli.repair import run_repair

        return run_repair(options, _checked)
    return _check(options)


def _parse(arguments: list[str]) -> argparse.Namespace:
    """Options; what follows ``--`` goes to the compiler."""
    own, cflags = arguments, []
    if "--" in arguments:
        split = arguments.index("--")
        own, cflags = arguments[:split], arguments[split + 1 :]
    options, unknown = _parser(own[0] if own else "").parse_known_args(_joined(own))
    if options.command in ("check", "estimate", "fix", "tune"):
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


def _joined(words: list[str]) -> list[str]:
    """With ``--nondet -1..4`` as one word: argparse takes what begins with a hyphen for an option."""
    if "--nondet" not in words[:-1]:
        return words
    at = words.index("--nondet")
    return [*words[:at], f"{words[at]}={words[at + 1]}", *words[at + 2 :]]


def _parser(command: str) -> _Parser:
    """The parser of all commands; options that take long to add are those of the given command."""
    parser = _Parser(
        prog="mazurka",
        description="Checks concurrent C and C++ programs against memory models; proves facts about models.",
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
    _add_estimate(commands)
    _add_repair(commands, command)
    _add_prove(commands)
    _add_litmus(commands)
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


def _add_check(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = commands.add_parser(
        "check",
        help="explore every execution of a C or C++ program",
        usage="mazurka check [OPTIONS] FILE… [-- CFLAGS…]",
        allow_abbrev=False,
        formatter_class=_help_formatter,
    )
    add_check_options(parser.add_argument)


def _add_repair(commands: argparse._SubParsersAction[_Parser], command: str) -> None:
    for name, does in (
        ("fix", "strengthen memory orderings until a violation is gone"),
        ("tune", "weaken memory orderings as far as a program stays correct"),
    ):
        parser = commands.add_parser(
            name,
            help=does,
            usage=f"mazurka {name} [OPTIONS] FILE… [-- CFLAGS…]",
            allow_abbrev=False,
            formatter_class=_help_formatter,
        )
        if name == command:
            add_repair_options(parser)


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


def _add_estimate(commands: argparse._SubParsersAction[_Parser]) -> None:
    add_check_options(
        commands.add_parser(
            "estimate",
            help="estimate how many executions a check explores, and how long that takes",
            usage="mazurka estimate [OPTIONS] FILE… [-- CFLAGS]",
            description="Estimates how many executions 'mazurka check' explores with the same options.",
            epilog="exit status: 0 estimated, 1 violation, 2 bad input or usage, 3 unknown",
            allow_abbrev=False,
            formatter_class=_help_formatter,
        ).add_argument
    )


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
    add("--html", metavar="PATH|-", help="write that execution as a page for browsers")
    add("--program", metavar="PATH|-", help="write that execution as a C program whose assertion fails")
    add("--litmus", metavar="PATH|-", help="write that execution as a litmus test for herd")


def _add_litmus(commands: argparse._SubParsersAction[_Parser]) -> None:
    add = commands.add_parser(
        "litmus",
        help="run litmus tests in herd's format",
        usage="mazurka litmus [OPTIONS] FILE|FOLDER…",
        epilog="exit status: 0 all tests were run, 1 a verdict is not the one in expected.tsv, "
        "2 bad input or usage, 3 a loop was cut at its bound",
        allow_abbrev=False,
        formatter_class=_help_formatter,
    ).add_argument
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
    add("--dot", metavar="PATH|-", help="write an execution that decides the first test for Graphviz")
    add("--json", metavar="PATH|-", help="write the verdicts as JSON to a file, or to standard output")


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
    if options.witness is not None and options.property is None:
        hint = "say what is to be checked, such as --property unreach-call"
        raise UsageError(ErrorCode.USAGE, "--witness needs --property", hint=hint)
    if [getattr(options, output) for output in CHECK_OUTPUTS].count("-") > 1:
        message = "only one output may use standard output"
        given = " or ".join(f"--{output}" for output in CHECK_OUTPUTS if getattr(options, output) == "-")
        raise UsageError(ErrorCode.USAGE, message, hint=f"give {given} a file")
    if options.all_executions and options.html is None:
        hint = "say where to write the page, such as --html executions.html"
        raise UsageError(ErrorCode.USAGE, "--all-executions needs --html", hint=hint)
    watch, end = _watch(options)
    try:
        outcome = _checked(options, watch)
    finally:
        end()
    _show(outcome, options)
    if outcome.vacuous and (options.fail_on_vacuous or outcome.verdict == "bounded"):
        return EXIT_STATUS["bounded"]
    if outcome.verdict == "bounded" and options.allow_bounded:
        return 0
    return EXIT_STATUS[outcome.verdict]


def _watch(options: argparse.Namespace) -> tuple[Watcher | None, Callable[[], None]]:
    """Whoever is told how far a check has come, if anybody, and how to end that."""
    if (
        options.quiet
        or options.progress == "never"
        or (options.progress == "auto" and not sys.stderr.isatty())
    ):
        return None, lambda: None
    from mazurka.cli.progress import Display
    from mazurka.watching.progress import Watch

    display = Display(sys.stderr, is_live=sys.stderr.isatty(), time_limit=options.time_limit)
    return Watch(display.show), display.end


def _checked(options: argparse.Namespace, watch: Watcher | None = None, *, collect: bool = False) -> Outcome:
    """What a check with these options finds; ``collect`` keeps all executions."""
    if options.no_cache:
        os.environ[disk.SWITCH] = "off"
    return check(
        options.files,
        model=options.model or _usual_model(options),
        equivalence=options.equivalence,
        races=options.races,
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
        max_executions=options.max_executions,
        workers=options.workers,
        watch=watch,
        cc=options.cc,
        cflags=options.cflags,
        compile_commands=options.compile_commands,
        verbose=options.verbose,
        load_annotations=options.load_annotations,
        confirmations=options.confirmations,
        helping=options.helping,
        postpones=options.postpones,
        symmetry=options.symmetry != "off" and not collect,
        collect=collect,
        mixed_size=options.mixed_size,
        strict=options.strict,
        undefined=options.undefined,
        volatile=options.volatile,
        nondet=options.nondet,
        stubs=options.stubs,
        spurious_wakeups=options.spurious_wakeups,
        malloc_may_fail=options.malloc_may_fail,
        reuse_memory=options.reuse_memory,
        leaks=options.leaks,
        property_file=options.property,
    )


def _usual_model(options: argparse.Namespace) -> str:
    """The model of a check that names none."""
    if options.property is None:
        return DEFAULT_MODEL
    from mazurka.checking.properties import read_property

    return read_property(options.property).model


def _show(outcome: Outcome, options: argparse.Namespace) -> None:
    """Prints the answer. If that fails, the error message contains the verdict, so that it is not lost."""
    from mazurka.report import as_json, as_text

    try:
        if "-" not in (getattr(options, output) for output in CHECK_OUTPUTS):
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
        if options.witness is not None:
            from mazurka.cli.witness import write_witness

            write_witness(outcome, options.witness, options.files)
        if not options.html is options.svg is options.dot is None:
            from mazurka.cli.pictures import write_pictures

            write_pictures(outcome, options, lambda: _checked(options, collect=True))
    except UsageError as error:
        error.message += f"; the verdict was '{outcome.verdict}'"
        raise


def _print_error(error: MazurkaError, arguments: list[str], options: argparse.Namespace) -> int:
    """Prints an error, also as JSON if requested, and returns the exit status."""
    json_path, explain = getattr(options, "json", None), getattr(options, "explain", False)
    prefix = "" if error.place else "mazurka: "
    if error.place is not None and error.place.line and error.snippet is None:
        error.snippet = _source_line(error.place)
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


def _source_line(place: Place) -> str | None:
    """The line at fault, if it can be read."""
    from mazurka.excerpts import marked_line
    from mazurka.files import read_regular

    try:
        lines = read_regular(place.file).decode(errors="replace").splitlines()
    except (OSError, ValueError):
        return None
    return (
        "\n".join(marked_line(place.line, lines[place.line - 1], place.column))
        if place.line <= len(lines)
        else None
    )


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
