// Declared with another result, as old programs do: what these functions return is the address of the local, as an integer.
// expect[sc,tso]: verified complete=3
// expect[rc11]: violation=race line=23
// twin[rc11] `copy(&local)` -> `memset(&local, 0, sizeof local)`: violation=race line=23
// twin[rc11] `copy(&local)` -> `strcpy(&local, &source)`: violation=race line=23
// twin[rc11] `copy(&local)` -> `strchr(&local, 0)`: violation=race line=23
// twin[rc11] `copy(&local)` -> `(memset(&local, 0, sizeof local), 0)`: verified complete=2
#include <pthread.h>
#include <stdatomic.h>
long memcpy();
long memset();
long strcpy();
long strchr();
static atomic_long where;
static char source;

static long copy(char *to) { return memcpy(to, &source, sizeof source); }

static void *other(void *arg)
{
    char *there = (char *)atomic_load(&where);
    if (there)
        *there = 2;
    return arg;
}

int main(void)
{
    pthread_t t;
    char local = 0;
    pthread_create(&t, 0, other, 0);
    atomic_store(&where, copy(&local));
    int seen = local;
    pthread_join(t, 0);
    return seen == 1;
}
