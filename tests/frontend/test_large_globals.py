"""Large globals: zeros take no space anywhere, and other bytes are where they belong.

Sizes are counted here and never seconds; ``benchmarks/limits.py`` has those.
"""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mazurka import _engine
from mazurka.cache.compiled import Compiled
from mazurka.errors import ErrorCode, SourceError
from mazurka.frontend import compile_program, compile_text
from mazurka.frontend.lowering.initial import InitialBytes
from mazurka.kat.language.load import named_model
from mazurka.kat.planning.program_classes import classes_of
from mazurka.program import Region, address, pieces_of
from mazurka.program.plain_data import plain, program_of
from mazurka.reference import verify
from mazurka.reference.running.memory import global_memory
from shipped_models import plan_of

_MAIN = "int main(void) { return a[5]; }"
_FEW = 4096  # bytes, of a small program's code
LARGE = (
    "char a[64000000];",
    "static int a[1 << 28];",
    "static char a[0xffffffff];",
    "int a[16000000] = {1, 2, 3};",
    "char a[64000000] = {'a', 'b', 'c'};",
    "struct { char first; char a[64000000]; long last; } s = {1, {2}, 3};\n#define a s.a\n",
    "char b[64000000], c[64000000] = {1}; int d = 7; char a[64000000];",
    "static const int a[16000000] = {1};",
)


@pytest.mark.parametrize("declaration", LARGE)
def test_zeros_take_no_room(declaration: str) -> None:
    program = compile_text(f"{declaration} {_MAIN}")
    tracemalloc.start()
    compiled = Compiled.of(program)
    kept = json.dumps(plain(program))
    assert program_of(json.loads(kept)) == program
    memory = global_memory(program)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(compiled.code) < _FEW
    assert len(kept) < 4 * _FEW
    assert len(memory.bytes) < 64
    assert peak < 1 << 20


def test_small_globals_lie_before_large_ones() -> None:
    program = compile_text(f"char a[64000000]; int x = 1; char b[64000000]; int y = 2; {_MAIN}")
    places = {item.name: item.address - address(Region.GLOBAL, 0) for item in program.globals}
    assert max(places["x"], places["y"]) < 1 << 16
    assert min(places["a"], places["b"]) >= 1 << 28
    assert abs(places["a"] - places["b"]) >= 64000000 + 256


@pytest.mark.parametrize("size", ["1ul << 32", "1ul << 43", "1ul << 60"])
def test_sizes_outside_the_addresses_are_refused_by_name(size: str) -> None:
    with pytest.raises(SourceError) as caught:
        compile_text(f"char small;\nchar a[{size}]; {_MAIN}")
    assert caught.value.code == ErrorCode.TOO_LARGE
    assert "'a'" in caught.value.message
    assert caught.value.place is not None
    assert caught.value.place.line == 2


_BYTES = st.lists(st.one_of(st.just(bytes(100)), st.just(bytes(8)), st.binary(max_size=9)), max_size=9)


@given(_BYTES)
def test_pieces_are_what_they_were_made_from(parts: list[bytes]) -> None:
    data = b"".join(parts)
    pieces = pieces_of(data)
    assert _whole(pieces, len(data)) == data
    assert all(piece and piece[0] and piece[-1] and bytes(64) not in piece for _, piece in pieces)


@given(_BYTES, st.integers(0, 300))
def test_initialisers_are_put_together(parts: list[bytes], gap: int) -> None:
    whole, built = bytearray(), InitialBytes()
    for part in parts:
        built.put(len(whole), part)
        whole += part + bytes(gap)
    assert _whole(built.pieces(), len(whole)) == whole


def _whole(pieces: tuple[tuple[int, bytes], ...], size: int) -> bytes:
    data = bytearray(size)
    for at, piece in pieces:
        data[at : at + len(piece)] = piece
    return bytes(data)


def test_a_part_may_overlap_the_one_before() -> None:
    built = InitialBytes()
    built.put(10, b"\1\2\3\4")
    built.put(13, b"\0\5")
    assert built.pieces() == ((10, b"\1\2\3\0\5"),)


_TABLE = """
#include <stdatomic.h>
extern void *t(void *);
atomic_int x;
struct { char a[%d]; void *(*f)(void *); } s = {{0}, t};
int main(void) { return s.f(0) != 0; }
void *t(void *p) { atomic_store_explicit(&x, 1, memory_order_release); return p; }
"""


@pytest.mark.parametrize("before", [8, 64, 72, 64000000])
def test_functions_in_large_tables_are_found(before: int) -> None:
    """An address ends in zeros, which pieces leave out."""
    program = compile_text(_TABLE % before)
    cut = replace(program, globals=tuple(replace(item, data=()) for item in program.globals))
    assert classes_of(program) != classes_of(cut)


def test_the_engine_and_the_reference_agree() -> None:
    path = Path(__file__).parents[1] / "programs" / "large_globals.c"
    program = compile_program(str(path))
    model = named_model("rc11")
    found = _engine.explore(program.encode(), plan_of("rc11").encode())
    expected = verify(program, model)
    assert not expected.findings
    assert found.status == "finished"
    assert (found.complete, found.blocked) == (len(expected.complete), len(expected.blocked)) == (1, 0)
