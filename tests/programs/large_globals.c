// Large arrays: both ends and the middle hold what was initialised or written, by main and by a thread.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define N 64000000

static char zeros[N];
static char text[N] = {'a', 'b', 'c'};
static struct {
    char room[N];
    long last;
} record = {{1}, -9};
static const int table[N / 4] = {5, 6};
static int huge[1 << 28];
static int small = 3;

static void *work(void *arg)
{
    assert(zeros[0] == 0 && zeros[N / 2] == 7 && zeros[N - 1] == 0);
    assert(record.room[0] == 1 && record.room[N - 1] == 0 && record.last == -9);
    huge[0] = huge[1 << 27] + small;
    huge[(1 << 28) - 1] = 4;
    return arg;
}

int main(void)
{
    pthread_t thread;
    int one = 1, end = N - 1;
    zeros[N / 2] = 7;
    huge[1 << 27] = 2;
    assert(text[0] == 'a' && text[2] == 'c' && text[3] == 0 && text[N / 2] == 0 && text[end] == 0);
    assert(table[one] == 6 && table[one + 1] == 0 && table[end / 4] == 0);
    assert(!pthread_create(&thread, NULL, work, NULL));
    assert(!pthread_join(thread, NULL));
    assert(huge[0] == 5 && huge[1 << 27] == 2 && huge[(1 << 28) - 1] == 4 && small == 3);
    return 0;
}
