// The client of a lock: N threads take it once each and count their visits. A program defines lock and unlock, and
// includes this at its end.
static int visits;

static void *process(void *arg)
{
    int me = (int)(intptr_t)arg;
    lock(me);
    visits++;
    unlock(me);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], NULL, process, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    assert(visits == N);
    return 0;
}
