// The last round is one too many: a member of what follows the array, handed from function to function, lies in
// another array.
// expect[sc,tso,pso,ra,rc11,rc11-ra,rc11-cpp11]: violation=unallocated line=12
// twin[sc,rc11] `i <= 2` -> `i < 2`: verified complete=1
#include <pthread.h>

struct node { long key[15]; long buffer[40]; };
struct node nodes[2];
long table[200];

static void put(long *buffer, int index) {
    buffer[index] = 1;
}

static void store(struct node *node, int index) { put(node->buffer, index); }

static void *fill(void *unused) {
    for (int i = 0; i <= 2; i++) store(&nodes[i], 30);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    pthread_join(thread, 0);
    return 0;
}
