// Functions of string.h on private and on shared memory.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char shared[2][8];

static void fill(int row, const char *text)
{
    char copy[8];
    strcpy(copy, text);
    memmove(copy + 1, copy, strlen(copy) + 1);
    memset(copy, '>', 1);
    strcpy(shared[row], copy);
    assert(memcmp(shared[row], copy, strlen(copy)) == 0);
}

static void *left(void *arg)
{
    fill(0, "mazur");
    return arg;
}

static void *right(void *arg)
{
    fill(1, "oberek");
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(strcmp(shared[0], ">mazur") == 0);
    assert(strlen(shared[1]) == 7 && strcmp(shared[0], shared[1]) < 0);
    return 0;
}
