// Two threads pass a ball to and fro.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified
// The ball is put down before the other one could catch it.
// twin[sc,tso,rc11] `while (atomic_load(&ball) != me)` -> `atomic_store(&ball, 2); while (atomic_load(&ball) != me)`: violation=liveness
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ball;

static void *player(void *arg)
{
    int me = (int)(long)arg;
    for (int i = 0; i < 2; i++) {
        while (atomic_load(&ball) != me)
            ;
        atomic_store(&ball, 1 - me);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, player, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
