// memalign and perror; _Exit and quick_exit end the program without calling what atexit registered.
// expect[sc,rc11]: verified complete=1
// twin[sc] quick_exit->exit: violation=assertion line=10
// twin[sc] quick_exit->_Exit: verified complete=1
#include <assert.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(void) { assert(0); }

int main(void) {
    atexit(fail);
    char *block = memalign(64, 10);
    assert((unsigned long)block % 64 == 0);
    free(block);
    perror("leaving");
    quick_exit(0);
    _Exit(1);
}
