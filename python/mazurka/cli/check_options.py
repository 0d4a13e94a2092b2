"""The options of ``mazurka check``. ``docs/reference/cli.md`` says more about each of them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import Any

from mazurka.checking.options import (
    EQUIVALENCES,
    MIXED_SIZES,
    NO_RACES,
    VOLATILE,
    check_equivalence,
    check_max_executions,
    check_mixed_size,
    check_numbers,
    check_workers,
    checked_volatile,
    memory_limit_of,
)
from mazurka.errors import ErrorCode, UsageError
from mazurka.models.registry import DEFAULT_MODEL, find_any, find_runnable

Add = Callable[..., Any]  # ``add_argument`` of a parser, or something in its place


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


_FILES = "the program's files: C, C++ or LLVM IR (.ll, .bc)"
_PROJECT = (
    "; or a mazurka.toml that lists programs. Without files, the mazurka.toml of this folder, or of the "
    "nearest folder above it, is used"
)


def add_check_options(group: Callable[[str], Add], *, takes_projects: bool = False) -> None:
    """Adds all of them; ``group`` gives what adds options under a heading."""
    _program(group("the program"), takes_projects=takes_projects)
    for title, options in _GROUPS.items():
        options(group(title))


def _program(add: Add, *, takes_projects: bool) -> None:
    add("files", metavar="FILE", nargs="*", help=f"{_FILES}{_PROJECT if takes_projects else ''}")
    add(
        "-I",
        metavar="DIR",
        dest="cflags",
        action="append",
        type=_flag("-I"),
        default=[],
        help="also look for headers in this directory",
    )
    add("-D", metavar="NAME[=VALUE]", dest="cflags", action="append", type=_flag("-D"), help="define a macro")
    add(
        "--compile-commands",
        metavar="PATH",
        help="take each file's flags from a compile_commands.json, or from the one in a folder; "
        "without FILE, check all the files that it lists",
    )
    add("--cc", metavar="PATH", help="the clang to use (default: $MAZURKA_CC, else the bundled one)")
    add("--strict", action="store_true", help="reject what C forbids and older compilers accept")
    add(
        "--stub",
        metavar="NAME=zero|skip|nondet[:LO..HI]",
        dest="stubs",
        action="append",
        default=[],
        help="what a function does that the program calls but does not define, such as rand=nondet:0..3",
    )
    add(
        "--nondet",
        metavar="LO..HI",
        help="where the program leaves a value open (__VERIFIER_nondet_int), explore only these values; "
        "if others were possible, the verdict is 'bounded' at best",
    )


def _model(add: Add) -> None:
    add(
        "--model",
        metavar="NAME|FILE",
        help="memory model: a name that 'mazurka models' lists, or a .kat or .cat file "
        f"(default {DEFAULT_MODEL})",
    )
    add(
        "--races",
        metavar="NAME|FILE|off",
        help="check this model's rules about races, such as those of rc11, instead of the model's own; "
        "off: check none",
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
        "--volatile",
        metavar="|".join(VOLATILE),
        default="plain",
        help="treat volatile accesses as plain, so that they may race (the default), or as atomic",
    )
    add(
        "--mixed-size",
        metavar="|".join(MIXED_SIZES),
        default="auto",
        help="accesses of several sizes to the same bytes: explore byte by byte if there are any "
        "(auto, the default) or from the start (on), or refuse the program (off)",
    )


def _violations(add: Add) -> None:
    add(
        "--property",
        metavar="FILE.prp|NAME",
        help="check an SV-COMP property (unreach-call, no-data-race, no-overflow, valid-memsafety, "
        "valid-memcleanup): only breaking it is a violation; the default model is then sc, or rc11 for races",
    )
    add(
        "--expect-outcome",
        metavar="CONDITION",
        help="expect some execution to end with this condition on global variables true, such as "
        "'r1 == 1 && r2 == 0', and show one that does; if none does, name the axiom that forbids it, and "
        "exit with 1",
    )
    add(
        "--undefined",
        action="store_true",
        help="report signed overflow, and shifts and conversions of floats that C leaves undefined",
    )
    add(
        "--leaks",
        action="store_true",
        help="warn about memory that is never freed and can no longer be reached when the program ends",
    )
    add("--malloc-may-fail", action="store_true", help="each allocation may also return a null pointer")
    add(
        "--reuse-memory",
        action="store_true",
        help="malloc may also return memory that was freed before, as real allocators do",
    )
    add(
        "--spurious-wakeups",
        action="store_true",
        help="waiting on a condition variable may also end without a signal",
    )
    add(
        "--no-liveness",
        dest="liveness",
        action="store_false",
        help="do not report threads that wait for ever, in loops, for mutexes or for each other",
    )


def _bounds(add: Add) -> None:
    add(
        "--unroll",
        metavar="N|PLACE=N,…",
        help="cut loops after N iterations: all of them, those of a function (push=3), "
        "or the one on a line (queue.c:41=5)",
    )
    add("--time-limit", metavar="S", type=float, help="stop after S seconds, compiling included")
    add(
        "--memory-limit",
        metavar="SIZE",
        type=memory_size,
        help="stop when the process takes more memory, such as 500M or 2G "
        "(default: half of the memory available to it)",
    )
    add(
        "--max-executions",
        metavar="N",
        type=int,
        help="stop after N executions (explored by one worker, so that they are always the same)",
    )
    add(
        "--workers",
        metavar="N",
        type=int,
        help="explore with N workers (default: one per core); the result is the same for any N",
    )


def _report(add: Add) -> None:
    add("--verbose", action="store_true", help="show what the program prints and what each axiom forbade")
    add(
        "--first-violation",
        dest="smallest",
        action="store_false",
        help="show the first violating execution that is found, instead of looking for a smaller one",
    )
    add("--calls", action="store_true", help="also show the functions through which a line accesses memory")
    add(
        "--explain", action="store_true", help="for each loop, say what was done about it, or why nothing was"
    )
    add(
        "--progress",
        choices=("auto", "always", "never"),
        default="auto",
        help="after a second, show the progress of the exploration on standard error: only on a terminal "
        "(auto, the default), or in logs, too (always)",
    )
    add("--quiet", action="store_true", help="show no progress")
    add("--allow-bounded", action="store_true", help="exit with 0 when only a loop bound was reached")
    add("--fail-on-vacuous", action="store_true", help="exit with 3 when no execution ran to its end")


def _outputs(add: Add) -> None:
    add("--json", metavar="PATH|-", help="write the result as JSON to a file, or to standard output")
    add("--html", metavar="PATH|-", help="write a page for browsers: the counterexample beside its source")
    add(
        "--all-executions",
        action="store_true",
        help="with --html: show all complete executions of a small program, with filters by outcome",
    )
    add("--svg", metavar="PATH|-", help="draw the counterexample")
    add("--dot", metavar="PATH|-", help="write the counterexample for Graphviz")
    add("--junit", metavar="PATH|-", help="write the result as JUnit XML: a test that passed or failed")
    add("--sarif", metavar="PATH|-", help="write the findings as SARIF 2.1.0, for code hosts")
    add(
        "--witness",
        metavar="PATH|-",
        help="write the execution that shows the violation, for 'mazurka replay'; with --property, write a "
        "witness for the answer in SV-COMP's format 2.0",
    )


def _exploration(add: Add) -> None:
    add(
        "--symmetry",
        choices=("auto", "off"),
        default="auto",
        help="off: also explore the executions that differ only in which of several identical threads did "
        "what; auto, the default, explores one for all of them",
    )
    add(
        "--no-spin-assume",
        dest="spin_assume",
        action="store_false",
        help="also explore rounds of wait loops that change nothing (needs --unroll)",
    )
    add(
        "--no-dynamic-spin-assume",
        dest="dynamic_spin_assume",
        action="store_false",
        help="the same, for loops whose rounds change nothing only in some executions",
    )
    add(
        "--no-zero-net-effect",
        dest="zero_net_effect",
        action="store_false",
        help="the same, for rounds that take back what they wrote",
    )
    add(
        "--no-reshape-loops",
        dest="reshape_loops",
        action="store_false",
        help="do not rotate loops, or merge them with equal code, to find such rounds",
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
        help="also explore mutex acquisitions that have to wait; this changes no count",
    )
    add(
        "--no-confirmations",
        dest="confirmations",
        action="store_false",
        help="explore and count executions in which a confirming compare-exchange does not see the same "
        "write as the load before it",
    )
    add(
        "--no-helping",
        dest="helping",
        action="store_false",
        help="explore and count executions in which a helping compare-exchange does what the helped one "
        "can do itself",
    )
    add("--schedule-seed", metavar="N", type=int, help="explore in another order; the counts stay the same")
    add(
        "--audit",
        action="store_true",
        help="check every choice a second time, directly against the axioms (slow)",
    )
    add(
        "--no-cache",
        action="store_true",
        help="compile and plan again, and cache nothing (as MAZURKA_CACHE=off does)",
    )


_GROUPS: dict[str, Callable[[Add], None]] = {
    "the memory model": _model,
    "what to look for": _violations,
    "how far to go": _bounds,
    "the report": _report,
    "files to write (- is standard output)": _outputs,
    "how it explores (rarely needed)": _exploration,
}


def check_keywords(options: argparse.Namespace) -> dict[str, Any]:
    """The options as ``mazurka.check`` takes them."""
    return {
        "model": _usual_model(options) if options.model is None else options.model,
        "symmetry": options.symmetry != "off",
        "property_file": options.property,
        **{name: getattr(options, name) for name in _SAME_NAMES},
    }


def check_values(options: argparse.Namespace) -> None:
    """Refuses values that no check can have, as far as that is known without the program."""
    from mazurka.checking.bounds import read_unroll  # late: only projects need them
    from mazurka.checking.left_open import read_range, read_stubs

    check_equivalence(options.equivalence)
    check_mixed_size(options.mixed_size, options.equivalence)
    check_numbers(options.schedule_seed, options.time_limit)
    check_workers(options.workers)
    check_max_executions(options.max_executions)
    if options.memory_limit is not None:
        memory_limit_of(options.memory_limit)
    checked_volatile(options.volatile)
    read_stubs(options.stubs)
    if options.nondet is not None:
        read_range(options.nondet)
    if options.unroll is not None:
        read_unroll(options.unroll)
    if options.model is not None:
        find_runnable(options.model)
    if options.races not in (None, NO_RACES):
        find_any(options.races)


# Options that ``mazurka.check`` calls by the same name.
_SAME_NAMES = (
    *("equivalence", "races", "unchecked_model", "audit", "unroll", "spin_assume", "dynamic_spin_assume"),
    *("zero_net_effect", "reshape_loops", "liveness", "schedule_seed", "time_limit", "memory_limit"),
    *(
        "max_executions",
        "workers",
        "cc",
        "cflags",
        "compile_commands",
        "verbose",
        "load_annotations",
        "confirmations",
    ),
    *("helping", "postpones", "mixed_size", "strict", "undefined", "volatile", "nondet", "stubs"),
    *("spurious_wakeups", "malloc_may_fail", "reuse_memory", "leaks", "smallest"),
)


def _usual_model(options: argparse.Namespace) -> str:
    """The model of a check that names none."""
    if options.property is None:
        return DEFAULT_MODEL
    from mazurka.checking.properties import read_property

    return read_property(options.property).model


# Options of ``check`` about its report, which the other commands do not write.
_REPORTING = {
    *("--json", "--junit", "--sarif", "--witness", "--html", "--all-executions", "--svg", "--dot"),
    *("--verbose", "--calls", "--explain", "--fail-on-vacuous", "--expect-outcome"),
}
# Why not: what each of the other commands answers instead.
_ANSWERS = {"estimate": "a number of executions", "fix": "a patch", "tune": "a patch"}


def add_options_without_report(parser: argparse.ArgumentParser, *, kept: str = "") -> None:
    """Those of ``check`` that say what is checked, and one more."""

    def group(title: str) -> Add:
        add_argument = parser.add_argument_group(title).add_argument

        def add(name: str, *more: Any, **how: Any) -> None:
            if name not in _REPORTING or name == kept:
                add_argument(name, *more, **how)
            else:  # as if it were not given
                parser.set_defaults(**{name[2:].replace("-", "_"): False if "action" in how else None})

        return add

    add_check_options(group)


def refuse_reporting(command: str, option: str) -> None:
    """Refuses an option that only ``check`` has, because it is about its report."""
    if option in _REPORTING and command in _ANSWERS:
        message = (
            f"'mazurka {command}' has no {option}, because it prints {_ANSWERS[command]} instead of a report"
        )
        hint = f"leave it out, or run 'mazurka check {option}'"
        raise UsageError(ErrorCode.UNKNOWN_OPTION, message, hint=hint)


def add_repair_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``fix`` and ``tune``."""
    add_options_without_report(parser, kept="--json")
    add = parser.add_argument_group("the search").add_argument
    add("--attempts", metavar="N", type=int, default=300, help="check at most N variants (default 300)")
    add("--write", action="store_true", help="change the files")
    add("--output", metavar="PATH|-", help="write the patch to a file, or to standard output (-)")
