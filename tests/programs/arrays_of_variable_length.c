// Arrays of variable length live until the end of their block, memory from alloca until its function returns.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=1 blocked=0
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { ROUNDS = 4 };

static int sum(int length) {
    int *kept[ROUNDS];
    int array[length], total = 0;
    array[0] = 0;
    for (int i = 0; i < ROUNDS; i++) {
        {
            int inner[length + i];
            inner[length + i - 1] = i;
            array[0] += inner[length + i - 1];
        }
        kept[i] = alloca(sizeof(int) * length);
        kept[i][length - 1] = i;
    }
    for (int i = 0; i < ROUNDS; i++)
        total += kept[i][length - 1];
    return total + array[0];
}

static void *thread(void *length) {
    assert(sum(*(int *)length) == 12);
    return NULL;
}

static int calls(int length) {
    int array[length];
    array[length - 1] = length;
    return array[length - 1];
}

int main(void) {
    int length = 3;
    for (int i = 0; i < 2500; i++) /* more in all than a thread's private memory */
        assert(calls(1000) == 1000);
    pthread_t id;
    pthread_create(&id, NULL, thread, &length);
    pthread_join(id, NULL);
    return 0;
}
