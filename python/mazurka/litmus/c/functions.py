"""The functions and macros that C litmus tests call, by name: what they do, and with which orders."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from mazurka.litmus.meaning.operations import Order
from mazurka.program import RmwOp


@dataclass(frozen=True, slots=True)
class Function:
    """What a function does: ``kind`` names the method of ``Calls``, and the rest are its parameters."""

    kind: str
    read: Order = Order.PLAIN
    write: Order = Order.PLAIN
    op: RmwOp = RmwOp.ADD
    value: int | None = None  # a fixed operand, as of atomic_inc
    returns: str = "old"  # "old", "new", "zero" (whether the result is 0), "negative" or "nothing"
    clears: bool = False  # old & ~value
    word: str = ""  # of a fence or a lock operation
    failure: Order = Order.SC  # of a compare-exchange that reads another value
    is_weak: bool = False
    has_order: bool = False  # the last argument is a memory order


MEMORY_ORDERS = {
    **{"memory_order_relaxed": Order.RELAXED, "memory_order_consume": Order.CONSUME},
    **{"memory_order_acquire": Order.ACQUIRE, "memory_order_release": Order.RELEASE},
    **{"memory_order_acq_rel": Order.ACQUIRE_RELEASE, "memory_order_seq_cst": Order.SC},
}
_OPS = {
    **{"add": (RmwOp.ADD, False), "sub": (RmwOp.SUB, False), "and": (RmwOp.AND, False)},
    **{"or": (RmwOp.OR, False), "xor": (RmwOp.XOR, False), "andnot": (RmwOp.AND, True)},
}


def _c11() -> dict[str, Function]:
    table = {
        "atomic_load": Function("load", read=Order.SC),
        "atomic_store": Function("store", write=Order.SC),
        "atomic_exchange": Function("rmw", Order.SC, Order.SC, RmwOp.XCHG),
        "atomic_compare_exchange_strong": Function("compare_exchange", Order.SC, Order.SC),
        "atomic_compare_exchange_weak": Function("compare_exchange", Order.SC, Order.SC, is_weak=True),
        "atomic_init": Function("store", write=Order.PLAIN),
    }
    for name in ("add", "sub", "and", "or", "xor"):
        table[f"atomic_fetch_{name}"] = Function("rmw", Order.SC, Order.SC, _OPS[name][0])
    explicit = {
        f"{name}_explicit": Function(f.kind, op=f.op, is_weak=f.is_weak, has_order=True)
        for name, f in table.items()
        if name != "atomic_init"
    }
    fences = {"atomic_thread_fence": Function("fence", word="thread", has_order=True)}
    fences["atomic_signal_fence"] = Function("nothing", has_order=True)
    return {**table, **explicit, **fences}


# What stands behind the name of an atomic operation that returns a value: the orders of its halves.
_SUFFIXES = {
    **{"": (Order.FULL, Order.FULL), "_relaxed": (Order.ONCE, Order.ONCE)},
    **{"_acquire": (Order.ACQUIRE, Order.ONCE), "_release": (Order.ONCE, Order.RELEASE)},
}


def _kernel() -> dict[str, Function]:
    table = {
        "READ_ONCE": Function("read_place", Order.ONCE),
        "WRITE_ONCE": Function("write_place", write=Order.ONCE),
        "rcu_dereference": Function("read_place", Order.ONCE),
        "lockless_dereference": Function("read_place", Order.ONCE),
        "rcu_assign_pointer": Function("write_place", write=Order.RELEASE),
        "smp_load_acquire": Function("load", Order.ACQUIRE),
        "smp_store_release": Function("store", write=Order.RELEASE),
        "smp_store_mb": Function("store_and_fence", write=Order.ONCE),
        **{f"spin_{name}": Function("lock", word=name) for name in ("lock", "unlock")},
        "spin_trylock": Function("lock", word="trylock"),
        "spin_is_locked": Function("lock", word="is-locked"),
        "srcu_read_lock": Function("lock", word="srcu-lock"),
        "srcu_down_read": Function("lock", word="srcu-lock"),
        "srcu_read_unlock": Function("lock", word="srcu-unlock"),
        "srcu_up_read": Function("lock", word="srcu-unlock"),
        "synchronize_srcu": Function("lock", word="srcu-sync"),
        "synchronize_srcu_expedited": Function("lock", word="srcu-sync"),
    }
    fences = {
        **{"smp_mb": "mb", "smp_rmb": "rmb", "smp_wmb": "wmb", "barrier": "barrier"},
        **{"smp_mb__before_atomic": "before-atomic", "smp_mb__after_atomic": "after-atomic"},
        **{"smp_mb__after_spinlock": "after-spinlock", "smp_mb__after_unlock_lock": "after-unlock-lock"},
        **{"smp_mb__after_srcu_read_unlock": "after-srcu-read-unlock"},
        **{"rcu_read_lock": "rcu-lock", "rcu_read_unlock": "rcu-unlock", "synchronize_rcu": "sync-rcu"},
        **{"synchronize_rcu_expedited": "sync-rcu"},
    }
    table |= {name: Function("fence", word=word) for name, word in fences.items()}
    table["smp_read_barrier_depends"] = Function("nothing")
    for suffix, (read, write) in _SUFFIXES.items():
        table[f"xchg{suffix}"] = Function("rmw", read, write, RmwOp.XCHG)
        table[f"cmpxchg{suffix}"] = Function("compare_swap", read, write)
        table[f"try_cmpxchg{suffix}"] = Function("compare_exchange", read, write, failure=Order.ONCE)
    for prefix in ("atomic_", "atomic_long_", "atomic64_"):
        table |= {prefix + name: function for name, function in _kernel_atomics().items()}
    return table


def _kernel_atomics() -> dict[str, Function]:
    """The operations on atomic_t, without the first part of their names."""
    table = {
        "read": Function("load", Order.ONCE),
        "read_acquire": Function("load", Order.ACQUIRE),
        "set": Function("store", write=Order.ONCE),
        "set_release": Function("store", write=Order.RELEASE),
        "add_unless": Function("add_unless", Order.FULL, Order.FULL),
        "inc_not_zero": Function("add_unless", Order.FULL, Order.FULL, value=1),
    }
    void, full = (Order.NO_RETURN, Order.ONCE), (Order.FULL, Order.FULL)
    steps = {"inc": (RmwOp.ADD, 1), "dec": (RmwOp.SUB, 1)}
    for name, (op, clears) in _OPS.items():
        table[name] = Function("counted", *void, op, returns="nothing", clears=clears)
    for name, (op, value) in steps.items():
        table[name] = Function("counted", *void, op, value, "nothing")
        table[f"{name}_and_test"] = Function("counted", *full, op, value, "zero")
    table["sub_and_test"] = Function("counted", *full, RmwOp.SUB, returns="zero")
    table["add_negative"] = Function("counted", *full, RmwOp.ADD, returns="negative")
    for suffix, orders in _SUFFIXES.items():
        table[f"xchg{suffix}"] = Function("rmw", *orders, RmwOp.XCHG)
        table[f"cmpxchg{suffix}"] = Function("compare_swap", *orders)
        table[f"try_cmpxchg{suffix}"] = Function("compare_exchange", *orders, failure=Order.ONCE)
        for name, (op, clears) in _OPS.items():
            table[f"fetch_{name}{suffix}"] = Function("counted", *orders, op, clears=clears)
        for name in ("add", "sub"):
            table[f"{name}_return{suffix}"] = Function("counted", *orders, _OPS[name][0], returns="new")
        for name, (op, value) in steps.items():
            table[f"fetch_{name}{suffix}"] = Function("counted", *orders, op, value)
            table[f"{name}_return{suffix}"] = Function("counted", *orders, op, value, "new")
    return table


C11 = _c11()
KERNEL = _kernel()
# Names by which a test is known to be of one or of the other; functions of both do not count.
KERNEL_TYPES = ("atomic_t", "atomic_long_t", "atomic64_t", "spinlock_t", "raw_spinlock_t", "srcu_struct")
KERNEL_NAMES = frozenset(itertools.chain(KERNEL.keys() - C11.keys(), KERNEL_TYPES))
C11_NAMES = frozenset((*(C11.keys() - KERNEL.keys()), *MEMORY_ORDERS, "atomic_int"))
