// linuxrwlocks: three threads use the read-write lock of Linux before 3.16, of HMC's table 5: one reads, one writes,
// one does both. With -DBOUND=L, an attempt looks up to L times and is given up, and the third thread reads only.
// Source: Norris and Demsky, OOPSLA 2013.
#include "shared.h"

enum { ALL = 0x100000 };

static atomic_int left = ALL;
static int value;

#ifdef BOUND
// Whether the share was taken; the loop has no effect in the end.
static int take(int share)
{
    for (int attempt = 0; attempt < BOUND; attempt++) {
        if (add(&left, -share, acquire) >= share)
            return 1;
        add(&left, share, relaxed);
    }
    return 0;
}
#else
static int take(int share)
{
    while (add(&left, -share, acquire) < share) {
        add(&left, share, relaxed);
        while (load(&left, relaxed) < share)
            ;
    }
    return 1;
}
#endif

static void read_value(void)
{
    if (take(1)) {
        int seen = value;
        assert(seen == value);
        add(&left, 1, release);
    }
}

static void write_value(void)
{
    if (take(ALL)) {
        value++;
        add(&left, ALL, release);
    }
}

static void *reader(void *arg)
{
    read_value();
    return arg;
}

static void *writer(void *arg)
{
    write_value();
    return arg;
}

static void *both(void *arg)
{
    read_value();
#ifndef BOUND
    write_value();
#endif
    return arg;
}

int main(void)
{
    run_all((void *(*const[])(void *)){reader, writer, both}, 3);
    return 0;
}
