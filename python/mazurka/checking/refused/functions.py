"""Functions of the threads library that programs may not call: why, and what to do instead.

``docs/reference/threads.md`` has the same list, and those that are supported.
"""

from __future__ import annotations

_CANCELLATION = (
    "threads cannot be cancelled",
    "let the thread look at an atomic flag, and call pthread_exit when it is set",
)
_ROBUST = (
    "robust mutexes are not supported: no thread dies while it holds a mutex",
    "leave the attribute out; a mutex that is never unlocked is reported as a deadlock",
)
_NAMED = ("semaphores with a name are shared by processes", "use sem_init: there is only one process")
_QUERY = (
    "it asks about settings that Mazurka ignores",
    "write the value that the program needs as a constant, behind '#ifdef __MAZURKA__'",
)
_JOINS = (
    "joins that give up are not supported",
    "use pthread_join, or let the thread set an atomic flag when it is done",
)
_PRIORITY = ("priorities are ignored", "leave the call out: all schedules are explored")
_QUERIES = (
    *(f"pthread_attr_get{name}" for name in ("affinity_np", "detachstate", "guardsize", "inheritsched")),
    *(f"pthread_attr_get{name}" for name in ("schedparam", "schedpolicy", "scope", "sigmask_np")),
    *(f"pthread_attr_get{name}" for name in ("stack", "stackaddr", "stacksize")),
    *("pthread_getaffinity_np", "pthread_getattr_default_np", "pthread_getattr_np", "pthread_getcpuclockid"),
    *("pthread_getname_np", "pthread_getschedparam", "pthread_gettid_np"),
    *(f"pthread_mutexattr_get{name}" for name in ("prioceiling", "protocol", "pshared")),
    *("pthread_mutexattr_getrobust", "pthread_mutexattr_getrobust_np"),
    *("pthread_rwlockattr_getkind_np", "pthread_rwlockattr_getpshared", "pthread_barrierattr_getpshared"),
    *("pthread_condattr_getclock", "pthread_condattr_getpshared"),
    *(f"sched_get{name}" for name in ("affinity", "attr", "cpu", "param", "scheduler")),
    *("sched_get_priority_max", "sched_get_priority_min", "sched_rr_get_interval"),
)
REFUSED: dict[str, tuple[str, str]] = {
    "pthread_cancel": _CANCELLATION,
    **dict.fromkeys(("pthread_mutexattr_setrobust", "pthread_mutexattr_setrobust_np"), _ROBUST),
    **dict.fromkeys(("pthread_mutex_consistent", "pthread_mutex_consistent_np"), _ROBUST),
    **dict.fromkeys(("sem_open", "sem_close", "sem_unlink"), _NAMED),
    **dict.fromkeys(("pthread_clockjoin_np", "pthread_timedjoin_np", "pthread_tryjoin_np"), _JOINS),
    **dict.fromkeys(("pthread_mutex_getprioceiling", "pthread_mutex_setprioceiling"), _PRIORITY),
    **dict.fromkeys(_QUERIES, _QUERY),
}
