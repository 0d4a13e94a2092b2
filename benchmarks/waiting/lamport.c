// lamport(N): N threads enter once each by Lamport's fast mutual exclusion. Source: Lamport, TOCS 1987.
#include "prelude.h"

static atomic_int busy[N + 1], x, y; // threads have the numbers 1 to N

static void lock(int thread)
{
    int me = thread + 1;
    for (;;) {
        atomic_store(&busy[me], 1);
        atomic_store(&x, me);
        if (atomic_load(&y) != 0) {
            atomic_store(&busy[me], 0);
            while (atomic_load(&y) != 0)
                ;
            continue;
        }
        atomic_store(&y, me);
        if (atomic_load(&x) == me)
            return;
        atomic_store(&busy[me], 0);
        for (int i = 1; i <= N; i++)
            while (atomic_load(&busy[i]))
                ;
        if (atomic_load(&y) == me)
            return;
        while (atomic_load(&y) != 0)
            ;
    }
}

static void unlock(int thread)
{
    atomic_store(&y, 0);
    atomic_store(&busy[thread + 1], 0);
}

#include "lock-client.h"
