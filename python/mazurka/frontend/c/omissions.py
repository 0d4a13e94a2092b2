"""C that older compilers accept: what was left out is supplied, and said in a warning.

Clang 22 rejects calls of undeclared functions, declarations without a type, and conversions between integers
and pointers. Much C is written that way. So these are warnings here (``LENIENT``), and a function of the C
library that is not declared gets its declaration from the header that it belongs to: an implicit declaration
would return an ``int``, and cut an address in half. The program is compiled a second time for that.

A function that is defined behind its first call, and does not return an ``int``, contradicts its implicit
declaration. The second time, its definition's own first words declare it.

I1: nothing is supplied for a function that the compiler knows, or that the program declares.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.files import with_lines_of_c

UNDECLARED = "implicit-function-declaration"
_KINDS = (
    *(UNDECLARED, "implicit-int", "int-conversion", "incompatible-pointer-types"),
    *("incompatible-function-pointer-types", "return-mismatch", "return-type"),
)
LENIENT = tuple(f"-Wno-error={kind}" for kind in _KINDS)
_SHOWN = 3  # warnings of one kind; the others are counted

_WARNING = re.compile(
    r"^(?P<file>[^\n]+?):(?P<line>\d+):(?P<column>\d+): warning: (?P<text>.*) \[-W(?P<kind>[\w-]+)\]$", re.M
)
_UNDECLARED = re.compile(r"call to undeclared (?:library )?function '(\w+)'(?! with type)")
_CONFLICT = re.compile(
    r"^[^\n]+?:(?P<line>\d+):(?P<column>\d+): error: conflicting types for '(?P<name>\w+)'"
    r"(?:(?!^\S+: (?:error|warning)).)*?^[^\n]+: note: previous implicit declaration is here$",
    re.M | re.S,
)
_EXCUSE = re.compile(
    r" with type '.*|; ISO C99 and later do not support.*|; (?:take the address|dereference) with ."
)
_TYPE = re.compile(r"(?:[A-Za-z_]\w*|\*|\s)+")

# Where functions are declared that the compiler does not know by itself.
_DECLARED: Mapping[str, str] = {
    "pthread.h": "pthread_",
    "threads.h": "thrd_ mtx_ cnd_ tss_ call_once",
    "semaphore.h": "sem_",
    "sched.h": "sched_",
    "unistd.h": "sleep usleep getpid getppid getopt write read close isatty sysconf gettid syscall _exit",
    "time.h": "time clock nanosleep clock_gettime clock_nanosleep difftime",
    "sys/time.h": "gettimeofday",
    "stdlib.h": "atoi atol atoll atof strtol strtoll strtoul strtoull strtod rand srand random srandom "
    "rand_r qsort qsort_r bsearch getenv posix_memalign atexit at_quick_exit quick_exit reallocarray div "
    "ldiv lldiv",
    "malloc.h": "memalign malloc_usable_size",
    "string.h": "strtok_r strerror strsignal memmem memrchr rawmemchr explicit_bzero strsep strcasestr "
    "strchrnul",
    "strings.h": "bzero bcopy ffs ffsl ffsll",
    "assert.h": "assert",
    "stdio.h": "fflush perror putc putchar puts fputs setbuf setvbuf dprintf vdprintf asprintf vasprintf",
    "ctype.h": "isascii toascii",
    "inttypes.h": "strtoimax strtoumax imaxabs imaxdiv",
    "stdatomic.h": "atomic_",
    "mazurka.h": "__VERIFIER_ __ESBMC_ __CPROVER_ klee_ reach_error",
}


class Omission(NamedTuple):
    """One warning of the compiler about something that was left out."""

    place: Place
    text: str
    kind: str
    function: str  # that is not declared, and that the compiler does not know


def omissions_in(said: str) -> list[Omission]:
    """What a compiler that was called with ``LENIENT`` said about omissions."""
    found = []
    for match in _WARNING.finditer(said):
        if match["kind"] in _KINDS and match["kind"] != "return-type":
            function = _UNDECLARED.match(match["text"])
            place = Place(match["file"], int(match["line"]), int(match["column"]))
            text = _EXCUSE.sub("", match["text"])
            found.append(Omission(place, text, match["kind"], function[1] if function else ""))
    return found


def is_lenient_about(kind: str) -> bool:
    """Whether a warning of the compiler is about an omission that is excused."""
    return kind in _KINDS


def header_of(function: str) -> str | None:
    """The header that declares a function of the C library, or one of Mazurka's."""
    for header, names in _DECLARED.items():
        for name in names.split():
            if function == name or (name.endswith("_") and function.startswith(name)):
                return header
    return None


def headers_for(omissions: Iterable[Omission]) -> list[str]:
    """The headers that would have declared what is not declared."""
    headers = (header_of(omission.function) for omission in omissions if omission.function)
    return list(dict.fromkeys(header for header in headers if header))


def declarations_for(said: str, source: str) -> list[str]:
    """Declares the functions whose definitions contradict implicit ones; only their results matter."""
    lines, found = with_lines_of_c(source).splitlines(), []
    for match in _CONFLICT.finditer(said):
        number = int(match["line"])
        if number > len(lines):  # it is in another file
            continue
        before = lines[number - 1][: int(match["column"]) - 1]
        if not before.strip() and number > 1:  # the type stands in a line of its own
            before = lines[number - 2]
        if _TYPE.fullmatch(before):
            found.append(f"{' '.join(before.split())} {match['name']}();")
    return found


def warnings_for(omissions: Sequence[Omission]) -> tuple[str, ...]:
    """The warnings: some of each kind, and how many more there are."""
    told: list[str] = []
    for kind in dict.fromkeys(omission.kind for omission in omissions):
        mine = list(dict.fromkeys(_sentence(omission) for omission in omissions if omission.kind == kind))
        told += mine[:_SHOWN]
        if len(mine) > _SHOWN:
            told.append(f"and {len(mine) - _SHOWN} more like this (-W{kind}); --strict makes them errors")
    return tuple(told)


def _sentence(omission: Omission) -> str:
    where = f"{omission.place.file}:{omission.place.line}"
    header = header_of(omission.function) if omission.function else None
    return f"{where}: {omission.text}" + (f"; <{header}> was included" if header else "")


def undeclared(omission: Omission) -> SourceError:
    """The error for a function that is neither declared nor known."""
    return SourceError(
        ErrorCode.COMPILE_ERROR,
        omission.text,
        place=omission.place,
        hint=f"include the header that declares it, or define '{omission.function}'",
    )
