// A volatile flag announces data. C gives volatile no meaning between threads, so the two race on the flag.
// The machine's models have no races: the flag is read as 0 or as 1.
// expect[rc11]: violation=race line=23
// expect[sc,tso]: verified complete=2 blocked=0
// twin[sc,tso] `data = 1;` -> `;`: violation=assertion
#include <assert.h>
#include <pthread.h>

static volatile int flag;
static int data;

static void *send(void *unused)
{
    (void)unused;
    data = 1;
    flag = 1;
    return 0;
}

static void *receive(void *unused)
{
    (void)unused;
    if (flag)
        assert(data == 1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, send, 0);
    pthread_create(&b, 0, receive, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
