// Chase and Lev's work-stealing deque: the owner works at the bottom, thieves at the top. Source: Chase and Lev 2005.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// twin[sc,tso,rc11] `won = claim(t);` -> `won = true;`: violation=assertion
// twin[sc,tso,rc11] `return claim(t) ? item : NONE;` -> `atomic_store(&top, t + 1); return item;`: violation=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIZE 4
#define ITEMS 2
#define NONE 0

static atomic_int items[SIZE];
static atomic_int top, bottom;
static int times_taken[ITEMS + 1];

static void push(int item)
{
    int b = atomic_load(&bottom);
    atomic_store(&items[b % SIZE], item);
    atomic_store(&bottom, b + 1);
}

// Wins the item at position t for the caller, if nobody else has it.
static bool claim(int t)
{
    return atomic_compare_exchange_strong(&top, &t, t + 1);
}

static int take(void)
{
    int b = atomic_load(&bottom) - 1;
    atomic_store(&bottom, b); // from here on a thief leaves position b alone, or has it already
    int t = atomic_load(&top);
    bool won = t < b;
    int item = t <= b ? atomic_load(&items[b % SIZE]) : NONE;
    if (t == b)
        won = claim(t); // the last item: race the thieves for it
    if (t >= b)
        atomic_store(&bottom, b + 1);
    return won ? item : NONE;
}

static int steal(void)
{
    int t = atomic_load(&top);
    if (t >= atomic_load(&bottom))
        return NONE;
    int item = atomic_load(&items[t % SIZE]);
    return claim(t) ? item : NONE;
}

static void *owner(void *arg)
{
    int *got = arg;
    for (int item = 1; item <= ITEMS; item++)
        push(item);
    for (int i = 0; i < ITEMS; i++)
        got[i] = take();
    return NULL;
}

static void *thief(void *arg)
{
    (void)arg;
    return (void *)(intptr_t)steal();
}

int main(void)
{
    pthread_t o, s[2];
    int got[ITEMS + 2];
    pthread_create(&o, NULL, owner, got);
    for (int i = 0; i < 2; i++)
        pthread_create(&s[i], NULL, thief, NULL);
    pthread_join(o, NULL);
    for (int i = 0; i < 2; i++) {
        void *item;
        pthread_join(s[i], &item);
        got[ITEMS + i] = (int)(intptr_t)item;
    }
    for (int i = 0; i < ITEMS + 2; i++)
        times_taken[got[i]]++;
    for (int item = 1; item <= ITEMS; item++)
        assert(times_taken[item] == 1);
    return 0;
}
