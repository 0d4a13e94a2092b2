// twa-lock(N): a ticket lock in which only the next one looks at the ticket that is served; the others look at a
// place in an array. Source: Dice and Kogan, TWA, 2019.
#include "prelude.h"

enum { PLACES = 4, NEAR = 1 };

static atomic_int next_ticket, serving, places[PLACES];

static void lock(int me)
{
    (void)me;
    int ticket = add(&next_ticket, 1, relaxed);
    int ahead = ticket - load(&serving, acquire);
    if (ahead == 0)
        return;
    if (ahead > NEAR) {
        int seen = load(&places[ticket % PLACES], acquire);
        if (ticket - load(&serving, acquire) > NEAR)
            while (load(&places[ticket % PLACES], relaxed) == seen)
                ;
    }
    while (load(&serving, acquire) != ticket)
        ;
}

static void unlock(int me)
{
    (void)me;
    int next = load(&serving, relaxed) + 1;
    store(&serving, next, release);
    add(&places[(next + NEAR) % PLACES], 1, release);
}

#include "lock-client.h"
