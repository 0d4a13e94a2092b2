"""Inlines the functions of system headers, so that the program consists of the user's functions.

``std::atomic<int>::load`` is four calls deep, and the last function chooses its instruction by an argument.
After inlining, the argument is a constant (``llvm.folding``), the access has the position of the call in the
user's code, and a wait loop is a loop around one load.

I1: no function of the user is inlined, and no function without debug information.
I2: what a function grows to is bounded: a function of the library that has become large stays a call.
I3: LLVM's inliner moves code and changes nothing else: accesses are protected only afterwards
(``cleaning.clean``), so nothing that reads shared memory may have been optimised before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mazurka.frontend.llvm.debuginfo import DebugInfo, SourceFiles
from mazurka.frontend.llvm.lexer import unquote
from mazurka.program.flow.graph import reverse_postorder

_DEFINED = re.compile(r'^define [^@\n]*@("[^"]*"|[-\w.$]+)\(.*?!dbg (!\d+)', re.M)
_CALLED = re.compile(r'\b(?:call|invoke) [^@\n]*@("[^"]*"|[-\w.$]+)\(')
MARKS = ("__cxa_begin_catch", "__mazurka_is_caught")  # calls that ``landing`` looks for
_GROUP = re.compile(r"^attributes #\d+ = .*$", re.M)
_APART = re.compile(r"\b(?:noinline|optnone)\b")  # LLVM aborts if a function also has "alwaysinline"
_LARGEST = 1000  # lines of a function's IR, with what is inlined into it: larger ones stay calls


def inline_system_functions(text: str, files: SourceFiles, *, handled: bool = False) -> str:
    """The module with the functions of system headers inlined where they are called.

    Unless exceptions may be ``handled``, what would happen after a throw is left out.
    """
    import llvmlite.binding as llvm

    text = _GROUP.sub(lambda group: _APART.sub('"apart"', group[0]), text)  # no group may be empty
    module = llvm.parse_assembly(text, llvm.create_context())  # I3 of linking.link
    for name in _small_system_functions(text, files):
        function = module.get_function(name)
        function.add_function_attribute("alwaysinline")
        if function.linkage != llvm.Linkage.internal:
            function.linkage = llvm.Linkage.linkonce_odr
    llvm.initialize_native_target()
    passes: Any = llvm.create_new_module_pass_manager()
    if not handled:
        passes.add_lower_invoke_pass()
    passes.add_always_inliner_pass()
    passes.add_global_dead_code_eliminate_pass()
    machine = llvm.Target.from_default_triple().create_target_machine()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    return str(module)


def _small_system_functions(text: str, files: SourceFiles) -> list[str]:
    nodes = (node.partition(" = ") for node in text.split("\n") if node.startswith("!"))
    debug = DebugInfo({name: rest for name, _, rest in nodes}, files)
    bodies: dict[str, str] = {}
    for match in _DEFINED.finditer(text):
        if debug.file_of_scope(match[2]) is None and match[1] not in MARKS:
            bodies[match[1]] = text[match.end() : text.find("\n}", match.start())]
    return [unquote("@" + name) for name in _that_stay_small(bodies)]


def _that_stay_small(bodies: dict[str, str]) -> Iterator[str]:
    """The functions that are small even after small ones were inlined into them (I2).

    Of functions that call each other in a circle, one stays a call.
    """
    calls = {
        name: [called for called in _CALLED.findall(body) if called in bodies]
        for name, body in bodies.items()
    }
    sizes: dict[str, int] = {}
    for name in reversed(reverse_postorder("", lambda caller: calls.get(caller, bodies))):
        if name:
            sizes.update((called, _LARGEST + 1) for called in calls[name] if called not in sizes)
            inlined = sum(sizes[called] for called in calls[name] if sizes[called] <= _LARGEST)
            sizes.setdefault(name, bodies[name].count("\n") + inlined)
            if sizes[name] <= _LARGEST:
                yield name
