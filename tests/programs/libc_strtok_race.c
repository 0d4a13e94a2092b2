// strtok keeps its place in a variable that all threads share (C11 7.24.5.8): its users have a race.
// expect[rc11]: violation=race lines=12,12
// expect[sc,tso]: verified
// twin[rc11] `strtok(text, " ")` -> `strtok_r(text, " ", &(char *){NULL})`: verified
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char texts[2][4] = {"a b", "c d"};

static void *divide(void *text) {
    strtok(text, " ");
    return NULL;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, divide, texts[0]);
    divide(texts[1]);
    pthread_join(other, NULL);
}
