// printf returns the number of characters, whether or not the output is shown.
// expect[sc,tso,pso,ra,rc11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char name[8] = "queue";

static void *thread(void *unused) {
    assert(printf("%s|%.2s|%8s\n", name, name, name) == 18);
    return unused;
}

int main(void) {
    volatile int seven = 7, minus = -1;
    assert(printf("%d%% %05d|%+d|%x\n", seven, seven, seven, 255) == 15);
    assert(printf("%.*d|%*d|%#o\n", minus, 5, -4, 1, 8) == 11);
    assert(fprintf(stderr, "%.3f %e %g\n", 2.5, seven * 1e10, 1e-5) == 25);
    assert(putchar('x') == 'x');
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    pthread_join(id, 0);
    return 0;
}
