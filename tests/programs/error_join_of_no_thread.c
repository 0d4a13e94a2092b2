// A join of a number that pthread_create did not return.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: violation=thread line=15
// twin[sc,rc11] `thread + 7` -> `thread`: verified complete=1
#include <pthread.h>

void *run(void *argument)
{
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread + 7, 0);
    return 0;
}
