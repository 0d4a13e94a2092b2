"""Symbols of C++ are shown by the names that people write, and left alone where they are not understood."""

from __future__ import annotations

import pytest
from mazurka.frontend.llvm.mangling import readable, readable_variable

NAMES = {
    "_Z3foov": "foo",
    "_ZNSt3__14coutE": "std::cout",
    "_ZSt13runtime_error": "std::runtime_error",
    "_ZNSt3__18numpunctIcE2idE": "std::numpunct::id",
    "_ZN5QueueIiLb1ENS_4NodeEE4pushEi": "Queue::push",
    "_ZNKSt3__112basic_stringIcNS_11char_traitsIcEEE4sizeB8ne220100Ev": "std::basic_string::size",
    "_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEElsEi": "std::basic_ostream::operator<<",
    "_ZTVNSt3__19basic_iosIcNS_11char_traitsIcEEEE": "std::basic_ios",
    "_ZTISt13runtime_error": "std::runtime_error",
    "_ZNSt3__16localeC1Ev": "std::locale::locale",
    "_ZNSt3__15mutexD2Ev": "std::mutex::~mutex",
    "_ZTVNSt3__110__function6__funcIZN4Pool6submitIZ4mainEUlvE0_EEDaT_EUlvE_NS_9allocatorIS5_EEFvvEEE": (
        "std::__function::__func"
    ),
    # Not understood: another operator, a type that is no class, C, and what is cut off.
    "_ZN3RefptEv": "",
    **dict.fromkeys(
        ("_Zi", "_ZTIi", "main", "_Z", "_ZN", "_ZN3", "_ZN9abcE", "_ZN1aI", "_ZN1aB", "_ZSt"), ""
    ),
}


@pytest.mark.parametrize("symbol", NAMES)
def test_names(symbol: str) -> None:
    assert readable(symbol) == NAMES[symbol]


VARIABLES = {
    "_ZNSt3__14coutE": "std::cout",
    "_ZZNSt3__115future_categoryEvE6helper": "helper",
    "_ZGVZNSt3__115future_categoryEvE6helper": "guard of helper",
    "_ZGVN3foo3barE": "guard of foo::bar",
    "_ZZ3foovE4E12x": "E12x",
    "_ZZ4mainE1x_0": "x",
    # Not understood, or no variable of the program.
    **dict.fromkeys(("counter", "_ZZ", "_ZGV", "_ZZ3foovE", "_ZTISt13runtime_error"), ""),
}


@pytest.mark.parametrize("symbol", VARIABLES)
def test_names_of_variables(symbol: str) -> None:
    assert readable_variable(symbol) == VARIABLES[symbol]
