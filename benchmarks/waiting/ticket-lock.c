// ticket-lock(N): tickets are served in their order. Source: Mellor-Crummey and Scott, TOCS 1991.
#include "prelude.h"

static atomic_int next_ticket, serving;

static void lock(int me)
{
    (void)me;
    int ticket = add(&next_ticket, 1, relaxed);
    while (load(&serving, acquire) != ticket)
        ;
}

static void unlock(int me)
{
    (void)me;
    store(&serving, load(&serving, relaxed) + 1, release);
}

#include "lock-client.h"
