// Two threads pass plain data there and back, if they are in time.
// mazurka: --schedule-seed 1 --races off
// expect[lkmm]: verified complete=3 blocked=0
// twin[lkmm] `smp_store_release(&answer, 1);` -> `WRITE_ONCE(answer, 1);`: violation=uninitialized
// twin[lkmm] `*box = 3;` -> ``: violation=uninitialized
#include <assert.h>
#include <lkmm.h>
#include <pthread.h>
#include <stdlib.h>

static int data, request, answer;
static int *published;

static void *client(void *unused)
{
    data = 1;
    smp_store_release(&request, 1);
    if (smp_load_acquire(&answer)) {
        assert(data == 2);
        assert(*published == 3);
    }
    return unused;
}

static void *server(void *unused)
{
    if (!smp_load_acquire(&request))
        return unused;
    data++;
    int *box = malloc(sizeof *box);
    *box = 3;
    published = box;
    smp_store_release(&answer, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, server, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(published);
}
