"""Promotes private locals to registers with LLVM's SROA, without touching accesses to shared memory.

SROA drops loads whose value is unused and splits struct copies by what is used of them, whatever memory
they read. Before it runs, every load and store that may concern shared memory is therefore marked
volatile, which no LLVM pass may remove, merge, widen or reorder, and every such copy becomes a call of
an opaque function (``OPAQUE`` and the intrinsic's name). Accesses that the source calls volatile have
metadata that says so (``VOLATILE``).

I1: an access stays non-volatile only if its address is a local variable (or a part of one) that is used
for nothing but loads, stores and copies in its function, all of them inside it (``overruns``).
"""

from __future__ import annotations

import re
from typing import Any

from mazurka.errors import ErrorCode, InternalError, UsageError
from mazurka.frontend.c.compiler import LLVM_MAJOR
from mazurka.frontend.cleaning.overruns import Overruns
from mazurka.frontend.cleaning.unset import UnsetValues, functions_with_unset, without_unset
from mazurka.frontend.llvm.ir import KEEP, VOLATILE
from mazurka.frontend.llvm.lexer import unquote

_OUR_DECLARATION = re.compile(r"^declare \S+ @mazurka\..*\n", re.M)
_FUNCTION = re.compile(r"^define .*?^}", re.M | re.S)
_ATTRIBUTES = re.compile(r"^attributes (#\d+) = \{.*\}$", re.M)
_NAME = r'%(?:"[^"]*"|[-\w.$]+)'
_LOCAL = re.compile(_NAME)
_DEFINED = re.compile(rf"^  ({_NAME}) = (alloca|getelementptr) ")
_GEP_BASE = re.compile(rf", ptr ({_NAME})")
_ACCESS = re.compile(rf"^  (?:{_NAME} = )?(load|store) (?!atomic|volatile)(?:.*), ptr ({_NAME}|@.*?)(?:, |$)")
_VOLATILE_ACCESS = re.compile(rf"^  (?:{_NAME} = )?(load|store) volatile (?:.*), ptr ({_NAME})(?:, |$)")
_STORED = re.compile(rf"^  store (?:atomic )?(?:volatile )?ptr ({_NAME}), ")
_ATOMIC_LOAD_OR_STORE = re.compile(rf"^  (?:{_NAME} = )?(?:load|store) (?:atomic|volatile)")
_VOLATILE = re.compile(rf"^  (?:{_NAME} = )?(?:load|store) volatile ")
_COPY = re.compile(r"^  call void @llvm\.mem(?:cpy|move|set)\.")
_CONSTANT = re.compile(
    r'^(@(?:"[^"]*"|[-\w.$]+)) = (?:private |internal )?(?:local_)?unnamed_addr constant ', re.M
)
_GLOBAL_NAME = re.compile(r'@(?:"[^"]*"|[-\w.$]+)')

_INTRINSIC = re.compile(r"@llvm\.(mem(?:cpy|move|set))\.[\w.]*\(")
_ASSIGNMENT = re.compile(r", !DIAssignID !\d+")  # which LLVM accepts only with its own copies

OPAQUE = "mazurka."
_PARAMETERS = {"memcpy": "ptr, ptr, i64, i1", "memmove": "ptr, ptr, i64, i1", "memset": "ptr, i8, i64, i1"}
_COPIES = {
    "memcpy": "llvm.memcpy.p0.p0.i64",
    "memmove": "llvm.memmove.p0.p0.i64",
    "memset": "llvm.memset.p0.i64",
}
_DECLARATIONS = (
    "".join(f"declare void @{OPAQUE}{name}({parameters})\n" for name, parameters in _PARAMETERS.items())
    + f"declare void @{KEEP}(ptr)\n"
)
_HARMLESS = re.compile(r"^  (?:call void @llvm\.lifetime|  #dbg_)")


def protect(text: str, unset: UnsetValues) -> str:
    """The IR with every access that may concern shared memory marked volatile."""
    text = _ATTRIBUTES.sub(r"attributes \1 = { nounwind }", text)
    constants = set(_CONSTANT.findall(text))
    overruns = Overruns(text)
    protected = _FUNCTION.sub(lambda match: _protect_function(match[0], constants, overruns, unset), text)
    return protected + _DECLARATIONS + unset.declarations()


def protect_again(text: str, unset: UnsetValues) -> str:
    """The same after promotion: locals may be private now whose addresses were in other locals.

    An inlined function gets the addresses of locals as arguments, which it keeps in locals of its own.
    """
    overruns = Overruns(text)
    text = _OUR_DECLARATION.sub("", text)
    for name, intrinsic in _COPIES.items():
        text = text.replace(f"@{OPAQUE}{name}(", f"@{intrinsic}(")
        is_declared = re.search(rf"^declare [^@\n]*@{re.escape(intrinsic)}\(", text, re.M)
        if f" @{intrinsic}(" in text and not is_declared:
            text += f"declare void @{intrinsic}({_PARAMETERS[name]})\n"

    def again(match: re.Match[str]) -> str:
        lines = match[0].split("\n")
        private = _private_names(lines, overruns.find(lines))
        kept = [_protect_line(_relaxed(line, private), private) for line in lines]
        return "\n".join(unset.insert(kept, private, overruns.places))

    return _FUNCTION.sub(again, text) + _DECLARATIONS + unset.declarations()


def _relaxed(line: str, private: set[str]) -> str:
    """An access to a private local, whether or not it was marked volatile before."""
    access = _VOLATILE_ACCESS.match(line)
    return line.replace(" volatile", "", 1) if access and access[2] in private else line


def _protect_function(body: str, constants: set[str], overruns: Overruns, unset: UnsetValues) -> str:
    lines = body.split("\n")
    left = overruns.find(lines)
    private = _private_names(lines, left)
    kept = [_protect_line(_named_volatile(line), private | constants) for line in lines]
    kept = unset.insert(kept, private, overruns.places)
    for at, line in enumerate(kept):
        local = _DEFINED.match(line)
        if local and local[2] == "alloca" and unquote(local[1]) in left:
            kept[at] = f"{line}\n  call void @{KEEP}(ptr {local[1]})"
    return "\n".join(kept)


def _private_names(lines: list[str], left: set[str]) -> set[str]:
    """Names of locals, and of addresses inside them, that satisfy I1."""
    root = _roots(lines)
    exposed: set[str] = set()
    for line in lines:
        names = _LOCAL.findall(line)
        if not names or _HARMLESS.match(line) or _DEFINED.match(line) or _COPY.match(line):
            continue
        stored = _STORED.match(line)
        if stored:
            exposed.add(stored[1])
        elif not _ACCESS.match(line) and not _ATOMIC_LOAD_OR_STORE.match(line):
            exposed.update(names)
    leaking = {root[name] for name in exposed if name in root}
    leaking |= {base for base in root.values() if unquote(base) in left}
    return {name for name, base in root.items() if base not in leaking}


def _roots(lines: list[str]) -> dict[str, str]:
    """For each local and each address inside one, the local. Blocks may be printed in any order."""
    root: dict[str, str] = {}
    inside: list[tuple[str, str]] = []
    for line in lines:
        defined = _DEFINED.match(line)
        if defined and defined[2] == "alloca":
            root[defined[1]] = defined[1]
        elif defined:
            base = _GEP_BASE.search(line)
            if base is not None:
                inside.append((defined[1], base[1]))
    before = -1
    while before != len(root):
        before = len(root)
        root.update((name, root[base]) for name, base in inside if base in root)
    return root


def _named_volatile(line: str) -> str:
    """An access that the source calls volatile, with metadata: later, those that we marked look alike."""
    return f"{line}, !{VOLATILE} !{{}}" if _VOLATILE.match(line) else line


def _protect_line(line: str, private: set[str]) -> str:
    access = _ACCESS.match(line)
    if access:
        if access[2] in private:
            return line
        return f"{line[: access.end(1)]} volatile{line[access.end(1) :]}"
    if _COPY.match(line) and not _private_copy(line, private):
        return _ASSIGNMENT.sub("", _INTRINSIC.sub(rf"@{OPAQUE}\1(", line, count=1))
    return line


def _private_copy(line: str, private: set[str]) -> bool:
    """Whether both ends and the length of a copy are private locals or constants."""
    arguments = line.split("(", 1)[1]
    return all(name in private for name in _LOCAL.findall(arguments) + _GLOBAL_NAME.findall(arguments))


class RejectedIR(InternalError):  # noqa: N818 - named for what it is
    """The compiler's output is not LLVM IR: our bug, unless the user chose the compiler or its flags."""


class Cleaner:
    """LLVM, loaded and checked; loading it takes a while, so it is done while the compiler runs."""

    def __init__(self) -> None:
        import llvmlite.binding as llvm

        major = llvm.llvm_version_info[0]
        if major != LLVM_MAJOR:
            raise UsageError(
                ErrorCode.COMPILER_VERSION,
                f"the installed llvmlite is built for LLVM {major}, but LLVM {LLVM_MAJOR} is needed",
                hint="run 'python -m pip install --upgrade mazurka' in a fresh virtual environment",
            )
        llvm.initialize_native_target()
        self._llvm: Any = llvm
        self._machine = llvm.Target.from_default_triple().create_target_machine()

    def clean(self, text: str, *, twice: bool = False) -> str:
        """The IR after promotion of private locals; ``twice`` also promotes what was exposed before."""
        cleaned = self._cleaned(text, twice, UnsetValues())
        found = functions_with_unset(cleaned)
        if found:
            cleaned = self._cleaned(text, twice, UnsetValues(found))
        return without_unset(cleaned, used=bool(found))

    def _cleaned(self, text: str, twice: bool, unset: UnsetValues) -> str:
        cleaned = self._promoted(protect(text, unset))
        return self._promoted(protect_again(cleaned, unset.again())) if twice else cleaned

    def _promoted(self, text: str) -> str:
        llvm = self._llvm
        try:
            module = llvm.parse_assembly(text, llvm.create_context())  # I3 of linking.link
            module.verify()
        except RuntimeError as error:
            raise RejectedIR(
                f"LLVM rejects the compiler's output: {error}",
                hint="please report the program and the compiler",
            ) from None
        passes = llvm.create_new_module_pass_manager()
        passes.add_sroa_pass()
        passes.run(module, llvm.create_pass_builder(self._machine, llvm.create_pipeline_tuning_options()))
        return str(module)

    def why_unreadable(self, text: str) -> str | None:
        """What LLVM says about a text that is not IR."""
        try:
            self._llvm.parse_assembly(text, self._llvm.create_context()).verify()
        except RuntimeError as error:
            return str(error)
        return None
