// A thread whose function calls itself without end.
// expect[sc,tso,pso,rc11,rc11-cpp11,rc11-genmc]: violation=stack-overflow line=10
// twin[sc,rc11] `if (n < 0)` -> `if (n > 9)`: verified complete=1
#include <pthread.h>

int depth(int n)
{
    if (n < 0)
        return 0;
    return depth(n + 1) + 1;
}

void *run(void *argument)
{
    depth(1);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
