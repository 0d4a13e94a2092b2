// What a function of the library does wrong is reported at the line of the call.
// expect[sc,rc11]: violation=unallocated line=11
// twin[sc] `char text[4]` -> `char text[9]`: verified
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *write_all(void *to) {
    char *end;
    long number = strtol(" 1234567", &end, 10);
    sprintf(to, "%ld", number);
    return NULL;
}

static char text[4];

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, write_all, text);
    pthread_join(other, NULL);
}
