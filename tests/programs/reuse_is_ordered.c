// Memory that is given out again is free of races: the call of free happens before the call of malloc that reuses it.
// mazurka: --reuse-memory
// expect[sc,tso,rc11,ra]: verified
// twin[rc11] `free(mine);` -> `left = mine; free(mine); *left = 2;`: violation=freed line=13
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *work(void *number) {
    int *mine = malloc(sizeof *mine), *left = NULL;
    *mine = *(int *)number;
    assert(*mine == *(int *)number);
    free(mine);
    return left;
}

int main(void) {
    static int numbers[2] = {1, 2};
    pthread_t other;
    pthread_create(&other, NULL, work, &numbers[0]);
    work(&numbers[1]);
    pthread_join(other, NULL);
}
