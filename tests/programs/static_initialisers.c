// Globals with all kinds of initialisers, read by a thread.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int five = 5;
static int *to_five = &five;
static const char *name = "mazurka";
static int table[2][3] = {{1, 2, 3}, {[2] = 9}};
static int same(char a, char b) { return a == b; }
static int (*compare)(char, char) = same;
static struct {
    int *pointer;
    double real;
} both = {&table[1][2], 2.5};

static void *reader(void *arg)
{
    *to_five += 1;
    assert(five == 6 && table[0][1] == 2 && table[1][0] == 0);
    assert(*both.pointer == 9 && both.real == 2.5);
    assert(compare(name[6], 'a') && name[7] == 0);
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, reader, NULL);
    pthread_join(a, NULL);
    return 0;
}
