"""The C++ library: libc++'s and libc++abi's sources, compiled to IR when a program needs them.

The sources are those of the bundled compiler, next to its headers. A few definitions are our own
(in ``include/cxx``), and are tried first. Which source defines a name is known beforehand
(``_MEMBERS``), so that only the sources that a program needs are compiled.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from mazurka.frontend.c.compiler import INCLUDE, Compiler, zig_directory
from mazurka.frontend.c.dialect import Dialect
from mazurka.frontend.c.driver import NO_HANDLERS
from mazurka.frontend.linking.link import Library
from mazurka.frontend.linking.shelf import Shelf

_OURS = os.path.join(INCLUDE, "cxx")
_RUNTIME_NAMES = (
    r"_ZNSt3__1\d+__atomic_notify_(one|all)_(native|global).*|__cxa_guard_(acquire|release|abort)"
    r"|wmemchr|strerror_r"
)
# Exceptions: without handlers, a throw ends the run.
_THROWING = (
    r"__cxa_(bad_cast|bad_typeid|throw_bad_array_new_length)"
    r"|__cxa_\w+_(primary_exception|exception_refcount)|_ZSt1[89]uncaught_exceptions?v"
)
_UNHANDLED = (_THROWING + "|_ZNSt3__120__throw_system_errorEiPKc", "uncaught.cpp")
_HANDLED = (
    _THROWING
    + r"|__cxa_(allocate|free)_exception|__cxa_(re)?throw|__cxa_(begin|end)_catch|__cxa_get_exception_ptr",
    "exceptions.cpp",
)
_ALLOCATING = ("_Zn[wa]m", "allocation.cpp")
# Names by the source that defines them; a name that several patterns match is in the first.
_MEMBERS = (
    (_RUNTIME_NAMES, "runtime.cpp"),
    ("__cxa_thread_atexit", "thread_ending.cpp"),
    (r"_ZSt1\d[sg]et_(terminate|new_handler)\w+", "installed.cpp"),
    (
        r"_ZNSt3__14(cout|cerr|clog)E|__mazurka_put|_ZNSt3__18ios_base15sync_with_stdioEb"
        r"|_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEE(lsE([bstijlmxyfd]|PKv)|3putEc|5writeEPKcl|5flushEv)",
        "streams.cpp",
    ),
    (r"_ZNSt3__1\d+__(construct|arrive|destroy)_barrier_algorithm_base\w+", "barrier.cpp"),
    (
        r"_ZNSt3__16chrono1[23](steady|system)_clock\w+|_ZNSt3__118condition_variable15__do_timed_wait\w+",
        "time.cpp",
    ),
    (r"_ZNSt3__15mutexD[012]Ev", "libcxx/src/mutex_destructor.cpp"),
    (r"_ZNSt3__1(5mutex|15recursive_mutex|11timed_mutex|21recursive_timed_mutex)\w+", "libcxx/src/mutex.cpp"),
    (r"_ZNSt3__118condition_variableD[012]Ev", "libcxx/src/condition_variable_destructor.cpp"),
    (r"_ZNSt3__118condition_variable\w+", "libcxx/src/condition_variable.cpp"),
    (r"_ZNSt3__1(19__shared_mutex_base|18shared_timed_mutex)\w+", "libcxx/src/shared_mutex.cpp"),
    (r"_ZNSt3__111__call_once\w+", "libcxx/src/call_once.cpp"),
    (
        r"_ZN?K?St3__1(14__shared_count|19__shared_weak_count|8__sp_mut|12__get_sp_mut|12bad_weak_ptr|5align)\w+"
        r"|_ZT[VIS]NSt3__1(14__shared_count|19__shared_weak_count|12bad_weak_ptr)E",
        "libcxx/src/memory.cpp",
    ),
    (
        r"_ZNK?St3__1(17__assoc_sub_state|6future|7promise|13shared_future|12future_error|15future_category)\w+"
        r"|_ZT[VIS]NSt3__1(17__assoc_sub_state|12future_error|23__future_error_category)E",
        "libcxx/src/future.cpp",
    ),
    (r"_ZNK?St3__1(12basic_string|9to_string|4sto[il]|5stoul)\w*", "libcxx/src/string.cpp"),
    (r"_ZNSt3__16__itoa\w+|_ZNSt3__18to_chars\w+", "libcxx/src/charconv.cpp"),
    (r"_ZNSt3__16__sort\w+", "libcxx/src/algorithm.cpp"),
    (r"_ZNSt3__112__next_primeEm", "libcxx/src/hash.cpp"),
    (r"_ZN?K?St3__13pmr\w+|_ZT[VIS]NSt3__13pmr\w+", "libcxx/src/memory_resource.cpp"),
    (r"_ZNK?St18bad_variant_access\w+|_ZT[VIS]St18bad_variant_access", "libcxx/src/variant.cpp"),
    (r"_ZNK?St12bad_any_cast\w+|_ZT[VIS]St12bad_any_cast", "libcxx/src/any.cpp"),
    (
        r"_ZNK?St3__1(17bad_function_call|13__hash_memory)\w+|_ZT[VIS]NSt3__117bad_function_callE",
        "libcxx/src/functional.cpp",
    ),
    (
        r"_ZNK?St3__119bad_expected_access\w+|_ZT[VIS]NSt3__119bad_expected_accessIvEE",
        "libcxx/src/expected.cpp",
    ),
    (r"_ZNK?St(11logic_error|13runtime_error)[CDa4]\w+", "libcxx/src/stdexcept.cpp"),
    (
        r"_ZT[VIS]St\d+(\w+_error|out_of_range|invalid_argument)|_ZNK?St\d+(\w+_error|out_of_range|invalid_argument)\w+",
        "libcxxabi/src/stdlib_stdexcept.cpp",
    ),
    (
        r"_ZT[VIS]St(9exception|9bad_alloc|13bad_exception|20bad_array_new_length)"
        r"|_ZNK?St(9exception|9bad_alloc|13bad_exception|20bad_array_new_length)\w+",
        "libcxxabi/src/stdlib_exception.cpp",
    ),
    (r"_ZNSt(13exception_ptr|16nested_exception)\w+|_ZSt1[789]\w+exception\w+", "libcxx/src/exception.cpp"),
    (r"_ZNK?St19bad_optional_access\w+|_ZT[VIS]St19bad_optional_access", "libcxx/src/optional.cpp"),
    (
        r"_ZN?K?St3__1(20__throw_system_error|\d+system_error|\d+error_code|\d+error_condition|1[56](system|generic)_category)\w+"
        r"|_ZT[VIS]NSt3__112system_errorE",
        "libcxx/src/system_error.cpp",
    ),
    (r"_ZNK?St3__114error_category\w+|_ZT[VIS]NSt3__114error_categoryE", "libcxx/src/error_category.cpp"),
    (
        r"_ZTVN10__cxxabiv1\w+|_ZNK?10__cxxabiv1\w+|__dynamic_cast|_ZT[VIS]N10__cxxabiv1\w+|_ZTIP?K?[vbachstijlmxyfde]",
        "libcxxabi/src/private_typeinfo.cpp",
    ),
    (
        r"_ZNK?St9type_info\w+|_ZT[VIS]St(9type_info|8bad_cast|10bad_typeid)|_ZNK?St(8bad_cast|10bad_typeid)\w+",
        "libcxxabi/src/stdlib_typeinfo.cpp",
    ),
    (
        r"_ZNK?St3__1\w*__vector\w+|_ZNSt3__1\d+__throw_(length_error|out_of_range)\w*",
        "libcxx/src/vector.cpp",
    ),
)
_OPERATORS = "operators.cpp"  # for programs that replace some of them
_FORMS = re.compile(r"_Zn[wa]m\w*|_Zd[la]Pv\w*")
_DEFINES_FORM = re.compile(r"^define [^@\n]*@_Z(n[wa]m|d[la]Pv)", re.M)
_PATTERNS = tuple((re.compile(names), source) for names, source in _MEMBERS)
_FLAGS = (
    *("-std=c++23", "-g1", "-w", "-Xclang", "-mno-constructor-aliases", "-D_LIBCPP_BUILDING_LIBRARY"),
    *("-DLIBCXX_BUILDING_LIBCXXABI", "-D_LIBCXXABI_BUILDING_LIBRARY"),
)
_FOLDERS = ("libcxx/src", "libcxx/src/include", "libcxxabi/include", "libcxx/libc")


def cpp_library(
    compiler: Compiler, shelf: Shelf, texts: Iterable[str], dialect: Dialect, *, handled: bool = False
) -> Library:
    """libc++, as far as a program of some modules needs it; exceptions may be ``handled``.

    Where leaks are looked for, all exceptions are destroyed.
    """
    own = [_HANDLED if handled else _UNHANDLED]
    if handled and not dialect.reuse_memory:
        own.append(_ALLOCATING)
    patterns = (*((re.compile(names), source) for names, source in own), *_PATTERNS)
    replaces_operators = any(_DEFINES_FORM.search(text) for text in texts)

    def member_of(name: str) -> str | None:
        if replaces_operators and _FORMS.fullmatch(name):
            return _OPERATORS
        return next((source for names, source in patterns if names.fullmatch(name)), None)

    def own_flags(member: str) -> tuple[str, ...]:
        if not handled:
            return (NO_HANDLERS,)
        if member == _HANDLED[1] and dialect.leaks:
            return ("-DMAZURKA_LEAKS",)
        return ("-DMAZURKA_MAY_FAIL",) if member == _ALLOCATING[1] and dialect.malloc_may_fail else ()

    return Library(
        member_of,
        lambda member: _text(member, compiler, shelf, own_flags(member)),
        lambda member: int("/" in member),
    )


def _text(member: str, compiler: Compiler, shelf: Shelf, own: tuple[str, ...]) -> str:
    top = os.path.join(zig_directory(), "lib")
    path = os.path.join(top if "/" in member else _OURS, member)
    folders = [word for folder in _FOLDERS for word in ("-I", os.path.join(top, folder))]
    return shelf.text(path, [*own, *_FLAGS, *folders], compiler, _our_headers())


def _our_headers() -> Iterator[str]:
    """Our own headers, which are not code of the package."""
    for folder, _, names in sorted(os.walk(_OURS)):
        yield from (os.path.join(folder, name) for name in sorted(names))
