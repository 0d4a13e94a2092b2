"""Links modules of IR into one, as a linker does with object files.

LLVM does the work: it merges types, renames what is internal to several modules, and keeps all debug
information. What it would report without a place is found before, by ``conflicts``.

I1: of a library only what the program needs is linked: a member is taken if it defines a name that is still
undefined, and whatever is not reached from the program is then removed.
I2: the program's own definitions win over those of libraries, and a member with a lower rank over others.
I3: modules that are linked have a context of their own. LLVM confuses the debug information of several
generations of one module in the same context.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from mazurka.frontend.cleaning.clean import RejectedIR
from mazurka.frontend.linking.symbols import Symbols


class Library(NamedTuple):
    """Modules that are linked when they are needed: which one defines a name, how to get its text.

    If several members define a name, the one with the lowest rank counts.
    """

    member_of: Callable[[str], str | None]
    text: Callable[[str], str]
    rank: Callable[[str], int] = lambda _: 0


class UnlinkableIR(RejectedIR):
    """Modules that LLVM reads do not go together: our bug, unless somebody else wrote one of them."""


def link(
    texts: Sequence[str], libraries: Sequence[Library] = (), without: frozenset[str] = frozenset()
) -> str:
    """One module of the texts, with what they need of the libraries, ``without`` some functions."""
    symbols = [Symbols(text) for text in texts]
    defined = set().union(*(found.defined for found in symbols))
    undefined = set().union(*(found.undefined for found in symbols)) - defined
    members = _needed(undefined - without, set(defined), libraries)
    if len(texts) == 1 and not members:
        return texts[0]
    import llvmlite.binding as llvm

    context = llvm.create_context()  # I3
    optional: set[str] = set()
    try:
        whole = llvm.parse_assembly(texts[0], context)
        for text in texts[1:]:
            _add(whole, llvm.parse_assembly(text, context))
        for text in members:
            member = llvm.parse_assembly(text, context)
            optional |= _make_optional(llvm, member) - defined
            _add(whole, member)
    except RuntimeError as error:
        context.detach()  # LLVM crashes if it destroys a module that is linked in part
        raise UnlinkableIR(f"it cannot be linked: {error}") from None
    if members:
        _remove_unused(llvm, whole, optional)
    return str(whole)


def _needed(undefined: set[str], defined: set[str], libraries: Sequence[Library]) -> list[str]:
    """The members that define what is undefined, and what is then undefined in turn (I1)."""
    found: dict[tuple[int, str], str] = {}
    waiting = sorted(undefined)
    while waiting:
        name = waiting.pop()
        members = ((at, library.member_of(name)) for at, library in enumerate(libraries))
        at, member = next((pair for pair in members if pair[1] is not None), (0, None))
        if name in defined or member is None or (at, member) in found:
            continue
        text = found[at, member] = libraries[at].text(member)
        symbols = Symbols(text)
        defined |= symbols.defined
        waiting += sorted(symbols.undefined - defined)
    ranked = sorted(found.items(), key=lambda item: (item[0][0], libraries[item[0][0]].rank(item[0][1])))
    return [text for _, text in ranked]


def _add(whole: Any, module: Any) -> None:
    """Links a module for the same machine, whose name another compiler may spell differently."""
    module.triple, module.data_layout = whole.triple, whole.data_layout
    try:
        whole.link_in(module)
    except RuntimeError:
        whole.detach()
        raise


def _make_optional(llvm: Any, module: Any) -> set[str]:
    """Lets the definitions of a module yield to those that are there already (I2), and returns their names.

    They are not yet what may be left out (linkonce): a module that is linked later may need them.
    """
    names = set()
    for item in (*module.functions, *module.global_variables):
        if not item.is_declaration and item.linkage in (llvm.Linkage.external, llvm.Linkage.weak_odr):
            item.linkage = llvm.Linkage.weak_odr
            names.add(item.name)
    return names


def _remove_unused(llvm: Any, module: Any, optional: set[str]) -> None:
    for item in (*module.functions, *module.global_variables):
        if item.name in optional and not item.is_declaration:
            item.linkage = llvm.Linkage.linkonce_odr
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    llvm.initialize_native_target()
    machine = llvm.Target.from_default_triple().create_target_machine()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
