"""Which flags a user may give to the compiler, and which files are C.

The driver asks the compiler for one thing, the IR of one C file. Flags that ask for something else, name
another input, write files or change the language are refused by name. The compiler knows many flags, so this
list may lack one; the driver therefore also checks what the compiler wrote.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence

from mazurka.errors import ErrorCode, Place, SourceError, UsageError

# Flags whose value may be the next word.
FLAGS_WITH_VALUE = frozenset(
    (
        *("-D", "-U", "-I", "-F", "-L", "-l", "-isystem", "-iquote", "-idirafter", "-isysroot", "-include"),
        *("-imacros", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-target", "--target", "--sysroot"),
        *(
            "-Xclang",
            "-mllvm",
            "--param",
            "-Xlinker",
            "-Xassembler",
            "-z",
            "-e",
            "-u",
            "-T",
            "-rpath",
            "-arch",
        ),
        *("-B", "-framework", "-working-directory", "-MF", "-MT", "-MQ", "-MJ", "-o", "-x", "--output"),
        *("-Xpreprocessor", "--language", "--serialize-diagnostics", "-dumpdir", "-dumpbase"),
    )
)
_REFUSED = {  # the reason, and the flags it applies to
    "asks the compiler for something other than the program": (
        r"-[cErS]|-fsyntax-only|--analyze|--analyzer-.*|-###|--?version|--?help.*|--?print-.*|-dump(?!base|dir).*|-cc1.*"
        r"|-emit-.*|--compile|--assemble|--preprocess|--precompile|-Xclang|-?-autocomplete.*"
    ),
    "makes the compiler write other files": (
        r"-M.*|-o.*|--output.*|--?save-temps.*|--(?:write-)?(?:user-)?dependencies|--serialize-diagnostics.*"
        r"|-Wp,.*|-Xpreprocessor|--?dump(?:base|dir).*|-f(?:save-)?optimization-record.*|-ftime-trace.*|-fproc-stat-report.*"
        r"|-index-store-path.*|-fcrash-diagnostics.*|-fmodules.*|-fbuild-session.*"
    ),
    "changes the language": r"-x.*|--language.*|-ObjC(?:\+\+)?",
    "makes the compiler read flags from a file": r"@.*|--config.*",
}
_REASONS = {why: re.compile(words, re.S) for why, words in _REFUSED.items()}
_CURES = {
    "makes the compiler read flags from a file": "write these flags out after '--'",
    "changes the language": "leave it out: a file's name says whether it is C (.c) or C++ (.cpp, .cc)",
}
_CURE = "leave it out; flags such as -I, -D, -std= and -W may follow '--'"

_LANGUAGES = {
    "C++": "cc cp cpp cxx c++ CPP C CC hh hp hpp hxx h++ HPP H ii inl ipp tpp txx",
    "a C++ module": "cppm ccm cxxm c++m ixx mpp",
    "Objective-C": "m mm mi mii M",
    "CUDA, HIP or OpenCL": "cu cuh cui hip hipi cl clcpp",
    "assembly": "s S asm sx",
    "LLVM IR": "ll bc",
    "an object file or a library": "o obj a so dylib dll lib lo la pch gch pcm",
    "Python": "py",
    "Rust": "rs",
    "another language": "d f f90 f95 f03 f08 for go hs java js ml swift zig ts cs sh",
    "a memory model": "kat cat",
    "a litmus test": "litmus",
    "a compilation database": "json",
    "a property of SV-COMP": "prp",
    "a list of programs": "toml",
}
_LANGUAGE_OF = {suffix: name for name, suffixes in _LANGUAGES.items() for suffix in suffixes.split()}
_STANDARD_OF = {"C++": re.compile(r"--?std=(?:c|gnu)\+\+"), "C": re.compile(r"--?std=(?!(?:c|gnu)\+\+)")}
_PROCESSOR = re.compile(r"^(-march=)(.*)", re.S)
_SILENCE = re.compile(r"-w|--no-warnings")
_SEVERITY = re.compile(r"-Werror(?:=.*)?|--?pedantic-errors", re.S)
# What the bundled compiler cannot write into its list of headers.
_UNREADABLE = re.compile(r"[\x00-\x1f\x7f\\\"]|:[^/]*$")


def check_flags(cflags: Sequence[str]) -> None:
    """Refuses flags with which the compiler would not print the IR of one C program."""
    words = iter(cflags)
    for word in words:
        why = next((why for why, pattern in _REASONS.items() if pattern.fullmatch(word)), None)
        if why is not None:
            _refuse(f"the flag '{word}' {why}", _CURES.get(why, _CURE))
        if not word.startswith("-") or word == "-":
            _refuse(f"'{word}' is not a flag", "name the program's files before '--'")
        if word in FLAGS_WITH_VALUE:
            value = next(words, None)
            if value is None:
                _refuse(f"the flag '{word}' has no value", "give it one, or leave it out")
            elif value.startswith("@"):
                message = f"the compiler would read flags from the file '{value[1:]}'"
                _refuse(message, "give the file a name that does not begin with @")


def _refuse(message: str, cure: str) -> None:
    raise UsageError(ErrorCode.BAD_VALUE, message, hint=cure)


def language_of(path: str) -> str:
    """What a file contains, judging by its name; C, if the name says nothing else."""
    return _LANGUAGE_OF.get(os.path.splitext(path)[1][1:], "C")


def check_name(path: str) -> None:
    """Refuses files that are neither C nor C++ by their name, and names that the compiler cannot read."""
    suffix = os.path.splitext(path)[1][1:]
    language = language_of(path)
    if language not in ("C", "C++"):
        raise SourceError(
            ErrorCode.UNSUPPORTED,
            f"files named .{suffix} are treated as {language}, which cannot be checked",
            place=Place(path),
            hint=_hint_for(language),
        )
    if _UNREADABLE.search(path):
        raise SourceError(
            ErrorCode.UNSUPPORTED,
            f"the compiler cannot read a file with this name: {path!r}",
            hint="rename it: it cannot contain colons, quotes, backslashes or control characters",
        )


_HINTS = {
    "Python": "a program that is written in Python is checked by running it: it calls "
    "mazurka.check(mazurka.Threads(…)), as docs/python.md shows",
    "Rust": "let rustc write LLVM IR, and name the .ll file, as docs/howto/rust.md shows",
    "a memory model": "give a C program, and the model with --model; "
    "'mazurka prove' decides claims of .kat files",
    "a litmus test": "run it with 'mazurka litmus'",
    "a compilation database": "give it with --compile-commands; "
    "without other files, all of its files are checked; 'mazurka replay' runs a witness",
    "a property of SV-COMP": "give a C program, and the property with --property",
    "a list of programs": "name the files of one program: only 'mazurka check' takes a mazurka.toml",
}


def _hint_for(language: str) -> str:
    if language in _HINTS:
        return _HINTS[language]
    return "name a C or C++ file; a program that is valid C may be renamed to .c"


def check_standards(languages: Collection[str], cflags: Sequence[str]) -> None:
    """Refuses a standard of a language in which no file is written."""
    for language, pattern in _STANDARD_OF.items():
        flag = next((flag for flag in cflags if pattern.match(flag)), None)
        if flag is not None and language not in languages:
            _refuse(
                f"the flag '{flag}' names a standard of {language}, but no file of the program is {language}",
                _CURES["changes the language"],
            )


def flags_for(language: str, cflags: Sequence[str]) -> list[str]:
    """The flags without those that name a standard of the other language, which the compiler would reject."""
    others = _STANDARD_OF["C" if language == "C++" else "C++"]
    return [flag for flag in cflags if not others.match(flag)]


def is_silenced(cflags: Sequence[str]) -> bool:
    """Whether the compiler is to give no warnings."""
    return any(_SILENCE.fullmatch(flag) for flag in cflags)


def without_silence(cflags: Sequence[str]) -> list[str]:
    """The flags without ``-w``: the driver reads warnings, some of which it is wrong to ignore.

    ``-w`` also has it that no warning is an error, so the flags that say otherwise go with it.
    """
    kept, words = [], iter(cflags)
    for word in words:
        if not _SILENCE.fullmatch(word) and not _SEVERITY.fullmatch(word):
            kept.append(word)
        if word in FLAGS_WITH_VALUE:
            kept += [value for value in (next(words, None),) if value is not None]
    return kept


def zig_flags(cflags: Sequence[str]) -> list[str]:
    """The flags as zig spells them: it writes names of processors with underscores."""
    return [_PROCESSOR.sub(lambda found: found[1] + found[2].replace("-", "_"), flag) for flag in cflags]


def safe_name(path: str) -> str:
    """The path in a form that no compiler takes for an option or a file of options."""
    return path if path[:1] not in ("-", "@") else os.path.join(os.curdir, path)
