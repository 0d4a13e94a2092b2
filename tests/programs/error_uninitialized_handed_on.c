// A variable without a value is read even if nobody looks at what comes of it: the call still happens.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=uninitialized line=23
// twin[sc,rc11] `log_value(value);` -> `shared = value;`: violation=uninitialized line=23
// twin[sc,rc11] `log_value(value);` -> `atomic_store(&flag, value);`: violation=uninitialized line=23
// twin[sc,rc11] `log_value(value);` -> `atomic_fetch_add(&flag, value);`: violation=uninitialized line=23
// twin[sc,rc11] `int value;` -> `int value = 1;`: violation=assertion line=16
#include <assert.h>
#include <stdatomic.h>

static atomic_int flag;
static int shared;

static int log_value(int value)
{
    shared = value;
    assert(value == 0);
    return 0;
}

int main(void)
{
    int value;
    log_value(value);
    return 0;
}
