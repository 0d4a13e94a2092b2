// A program with one thread is a program too.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=assertion line=13
#include <assert.h>

static int sum(int n)
{
    return n == 0 ? 0 : n + sum(n - 1);
}

int main(void)
{
    assert(sum(4) == 10);
    assert(sum(5) == 14);
    return 0;
}
