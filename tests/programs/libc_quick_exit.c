// memalign and perror; _Exit and quick_exit end the program without calling what atexit registered, and only
// quick_exit calls what at_quick_exit registered, last things first.
// expect[sc,rc11]: verified complete=1
// twin[sc] `quick_exit(0)` -> `exit(0)`: violation=assertion line=14
// twin[sc] `quick_exit(0)` -> `_Exit(0)`: verified complete=1
// twin[sc] `at_quick_exit(second);` -> ``: violation=assertion line=17
// twin[sc] `quick_exit(0)` -> `at_quick_exit(fail), quick_exit(0)`: violation=assertion line=14
// twin[sc] `quick_exit(0)` -> `at_quick_exit(fail), _Exit(0)`: verified complete=1
#include <assert.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(void) { assert(0); }
static int order;
static void second(void) { order = 1; }
static void first(void) { assert(order == 1); }

int main(void) {
    atexit(fail);
    at_quick_exit(first);
    at_quick_exit(second);
    char *block = memalign(64, 10);
    assert((unsigned long)block % 64 == 0);
    free(block);
    perror("leaving");
    quick_exit(0);
    _Exit(1);
}
