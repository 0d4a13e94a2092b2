// Two threads join the same one, as POSIX forbids: one of them, or main, is the second.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=thread
// twin[rc11] `pthread_join(worker, NULL); /* in helper */` -> ``: verified complete=1
// twin[rc11] `pthread_join(worker, NULL); /* in main */` -> ``: verified complete=1
// twin[rc11] `pthread_join(worker, NULL); /* in helper */` -> `pthread_join(pthread_self(), NULL);`: violation=deadlock line=20
// twin[sc] `pthread_join(helper, NULL);` -> `pthread_join(helper, NULL), pthread_join(helper, NULL);`: violation=thread
// twin[sc] `return 0;` -> `pthread_join(helper, NULL); return 0;`: violation=thread
#include <pthread.h>
#include <stddef.h>

static pthread_t worker;

static void *work(void *arg)
{
    return arg;
}

static void *help(void *arg)
{
    pthread_join(worker, NULL); /* in helper */
    return arg;
}

int main(void)
{
    pthread_t helper;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&helper, NULL, help, NULL);
    pthread_join(worker, NULL); /* in main */
    pthread_join(helper, NULL);
    return 0;
}
