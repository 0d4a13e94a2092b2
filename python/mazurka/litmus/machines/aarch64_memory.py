"""AArch64's loads, stores, exclusives and atomic operations.

Pairs: LDP and STP are two accesses, one after the other. LDXP, STXP and CASP access both registers at once.
An atomic operation whose result nobody can see (the zero register, or the ST form) does not acquire.
"""

from __future__ import annotations

from collections.abc import Callable

from mazurka.litmus.machines.aarch64_operands import address, destination, is_wide, read
from mazurka.litmus.machines.lines import Line
from mazurka.litmus.meaning.operations import CompareSwap, Compute, Load, Operand, Order, Register, Rmw, Store
from mazurka.program import Op, RmwOp

_SIZES = {"": None, "b": 1, "h": 2}
_OPERATIONS = {
    **{"add": (RmwOp.ADD, False), "eor": (RmwOp.XOR, False), "set": (RmwOp.OR, False)},
    **{"clr": (RmwOp.AND, True), "smax": (RmwOp.MAX, False), "smin": (RmwOp.MIN, False)},
    **{"umax": (RmwOp.UMAX, False), "umin": (RmwOp.UMIN, False)},
}
_ORDERS = {
    **{"": (Order.PLAIN, Order.PLAIN), "a": (Order.ACQUIRE, Order.PLAIN)},
    **{"l": (Order.PLAIN, Order.RELEASE), "al": (Order.ACQUIRE, Order.RELEASE)},
}
TABLE: dict[str, Callable[[Line], None]] = {}


def _bytes(line: Line, number: int, size: int | None) -> int:
    """How many bytes an access has: as its name says, or as the register."""
    return size if size is not None else 8 if is_wide(line, number) else 4


def _load(
    order: Order, size: int | None, signed: bool = False, exclusive: bool = False
) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(2, 3)
        dst, length = destination(line, 0), _bytes(line, 0, size)
        at = address(line, 1)
        if not signed or dst is None:
            line.emit(Load(dst, at, length, order, exclusive))
            return
        line.emit(Load(dst, at, length, order, exclusive))
        line.emit(Compute(Op.SEXT, dst, dst, width=8 * length, x=64 if is_wide(line, 0) else 32))

    return translate


def _store(order: Order, size: int | None) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(2, 3)
        value = read(line, 0)
        if len(line.operands) == 3 or line.operands[1].endswith("!"):
            value = line.compute(Op.MOV, value)  # the base may be the register that is stored
        line.emit(Store(address(line, 1), value, _bytes(line, 0, size), order))

    return translate


def _store_exclusive(order: Order, size: int | None) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(3)
        value, at = read(line, 1), address(line, 2)
        length = _bytes(line, 1, size)
        line.emit(Store(at, value, length, order, is_exclusive=True, status=destination(line, 0)))

    return translate


def _load_pair(signed: bool) -> Callable[[Line], None]:
    """LDP: two loads; the address is computed once, before the first register is filled."""

    def translate(line: Line) -> None:
        line.expect(3, 4)
        length = 4 if signed else _bytes(line, 0, None)
        first = line.compute(Op.MOV, address(line, 2))
        for number, at in ((0, first), (1, line.add(first, length))):
            dst = destination(line, number)
            line.emit(Load(dst, at, length))
            if signed and dst is not None:
                line.emit(Compute(Op.SEXT, dst, dst, width=32, x=64))

    return translate


def _store_pair(line: Line) -> None:
    line.expect(3, 4)
    length = _bytes(line, 0, None)
    values = [line.compute(Op.MOV, read(line, number)) for number in (0, 1)]
    first = address(line, 2)
    for value, at in zip(values, (first, line.add(first, length)), strict=True):
        line.emit(Store(at, value, length))


def _joined(line: Line, low: Operand, high: Operand) -> Operand:
    """Two words as one double word."""
    return line.compute(Op.OR, line.compute(Op.SHL, high, 32), low)


def _split(line: Line, pair: Register, numbers: tuple[int, int]) -> None:
    """Moves the words of a double word to two registers."""
    low, high = (destination(line, number) for number in numbers)
    if low is not None:
        line.emit(Compute(Op.TRUNC, low, pair, width=32))
    if high is not None:
        line.emit(Compute(Op.LSHR, high, pair, 32))


def _load_exclusive_pair(order: Order) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(3)
        at = address(line, 2)
        if is_wide(line, 0):
            low, high = destination(line, 0), destination(line, 1)
            line.emit(Load(low, at, 16, order, is_exclusive=True, high=high))
        else:
            pair = line.fresh()
            line.emit(Load(pair, at, 8, order, is_exclusive=True))
            _split(line, pair, (0, 1))

    return translate


def _store_exclusive_pair(order: Order) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(4)
        low, high, at = read(line, 1), read(line, 2), address(line, 3)
        status = destination(line, 0)
        if is_wide(line, 1):
            line.emit(Store(at, low, 16, order, is_exclusive=True, status=status, high=high))
        else:
            line.emit(Store(at, _joined(line, low, high), 8, order, is_exclusive=True, status=status))

    return translate


def _swap(orders: str, size: int | None) -> Callable[[Line], None]:
    return _atomic(RmwOp.XCHG, False, orders, size)


def _atomic(op: RmwOp, clears: bool, orders: str, size: int | None) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(3)
        acquire, release = _ORDERS[orders]
        dst = destination(line, 1)
        read_order = Order.NO_RETURN if dst is None and op is not RmwOp.XCHG else acquire
        if dst is None and op is RmwOp.XCHG:
            read_order = Order.PLAIN
        value, at = read(line, 0), address(line, 2)
        line.emit(Rmw(op, dst, at, value, _bytes(line, 0, size), read_order, release, clears))

    return translate


def _atomic_store(op: RmwOp, clears: bool, orders: str, size: int | None) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(2)
        value, at = read(line, 0), address(line, 1)
        length = _bytes(line, 0, size)
        line.emit(Rmw(op, None, at, value, length, Order.NO_RETURN, _ORDERS[orders][1], clears))

    return translate


def _compare_swap(orders: str, size: int | None) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(3)
        acquire, release = _ORDERS[orders]
        length = _bytes(line, 0, size)
        expected = line.truncate(read(line, 0), 8 * length)
        new, at = read(line, 1), address(line, 2)
        dst = destination(line, 0)
        line.emit(CompareSwap(dst, at, expected, new, length, acquire, release, acquire))

    return translate


def _compare_swap_pair(orders: str) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(5)
        acquire, release = _ORDERS[orders]
        expected, expected_high, new, new_high = (read(line, number) for number in range(4))
        at = address(line, 4)
        if is_wide(line, 0):
            upper = (destination(line, 1), expected_high, new_high)
            dst = destination(line, 0)
            line.emit(CompareSwap(dst, at, expected, new, 16, acquire, release, acquire, upper))
            return
        pair = line.fresh()
        old, wanted = _joined(line, expected, expected_high), _joined(line, new, new_high)
        line.emit(CompareSwap(pair, at, old, wanted, 8, acquire, release, acquire))
        _split(line, pair, (0, 1))

    return translate


for _suffix, _size in _SIZES.items():
    for _name in ("ldr", "ldur", "ldtr"):
        TABLE[_name + _suffix] = _load(Order.PLAIN, _size)
    for _name in ("str", "stur", "sttr"):
        TABLE[_name + _suffix] = _store(Order.PLAIN, _size)
    TABLE[f"ldar{_suffix}"] = _load(Order.ACQUIRE, _size)
    TABLE[f"ldapr{_suffix}"] = TABLE[f"ldapur{_suffix}"] = _load(Order.ACQUIRE_PC, _size)
    TABLE[f"stlr{_suffix}"] = TABLE[f"stlur{_suffix}"] = _store(Order.RELEASE, _size)
    TABLE[f"ldxr{_suffix}"] = _load(Order.PLAIN, _size, exclusive=True)
    TABLE[f"ldaxr{_suffix}"] = _load(Order.ACQUIRE, _size, exclusive=True)
    TABLE[f"stxr{_suffix}"] = _store_exclusive(Order.PLAIN, _size)
    TABLE[f"stlxr{_suffix}"] = _store_exclusive(Order.RELEASE, _size)
    for _order in _ORDERS:
        TABLE[f"cas{_order}{_suffix}"] = _compare_swap(_order, _size)
        TABLE[f"swp{_order}{_suffix}"] = _swap(_order, _size)
        for _name, (_op, _clears) in _OPERATIONS.items():
            TABLE[f"ld{_name}{_order}{_suffix}"] = _atomic(_op, _clears, _order, _size)
            if "a" not in _order:
                TABLE[f"st{_name}{_order}{_suffix}"] = _atomic_store(_op, _clears, _order, _size)
for _order in _ORDERS:
    TABLE[f"casp{_order}"] = _compare_swap_pair(_order)
for _name in ("ldr", "ldur"):
    TABLE |= {f"{_name}sb": _load(Order.PLAIN, 1, True), f"{_name}sh": _load(Order.PLAIN, 2, True)}
    TABLE[f"{_name}sw"] = _load(Order.PLAIN, 4, True)
TABLE |= {"ldp": _load_pair(False), "ldnp": _load_pair(False), "ldpsw": _load_pair(True)}
TABLE |= {"stp": _store_pair, "stnp": _store_pair}
TABLE |= {"ldxp": _load_exclusive_pair(Order.PLAIN), "ldaxp": _load_exclusive_pair(Order.ACQUIRE)}
TABLE |= {"stxp": _store_exclusive_pair(Order.PLAIN), "stlxp": _store_exclusive_pair(Order.RELEASE)}
