// Memory that no other thread can reach must be written before it is read, too: an array, and a heap object.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=uninitialized line=19
// twin[sc,rc11] `int i = 0; i < 3;` -> `int i = 0; i < 4;`: violation=uninitialized line=21
// twin[sc,rc11] `squares[3]; // not` -> `squares[2]; heap[1] = 0; //`: verified complete=1
// twin[sc,rc11] `squares[3]; // not` -> `squares[2]; memset(heap, 0, 8); //`: verified complete=1
// twin[sc,rc11] `squares[3]; // not` -> `squares[2]; heap = calloc(2, 4); //`: verified complete=1
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int first_two(const int *numbers) { return numbers[0] + numbers[1]; }

static void *work(void *arg)
{
    int squares[4];
    int *heap = malloc(2 * sizeof *heap);
    for (int i = 0; i < 3; i++) squares[i] = i * i;
    int sum = first_two(squares);
    sum += squares[3]; // not written
    heap[0] = sum;
    sum += heap[1];
    free(heap);
    return sum ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
