// barrier-det(N): N threads compute the rows of M^2, meet, and compute those of M^4; then one takes the determinant.
// Source: BAM, thesis §10.2.3. The barrier orders all accesses to common rows, so there is one execution.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif
#define SIZE 4

static pthread_barrier_t barrier;
static int matrix[SIZE][SIZE] = {{1, 2, 0, 1}, {0, 1, 1, 0}, {2, 0, 1, 1}, {1, 1, 0, 2}};
static int square[SIZE][SIZE], fourth[SIZE][SIZE];

static void multiply(int (*to)[SIZE], int (*from)[SIZE], int row)
{
    for (int column = 0; column < SIZE; column++) {
        int sum = 0;
        for (int k = 0; k < SIZE; k++)
            sum += from[row][k] * from[k][column];
        to[row][column] = sum;
    }
}

static int determinant3(int skip)
{
    int c[3];
    for (int i = 0, k = 0; i < SIZE; i++)
        if (i != skip)
            c[k++] = i;
    int (*m)[SIZE] = fourth;
    return m[1][c[0]] * (m[2][c[1]] * m[3][c[2]] - m[2][c[2]] * m[3][c[1]]) -
           m[1][c[1]] * (m[2][c[0]] * m[3][c[2]] - m[2][c[2]] * m[3][c[0]]) +
           m[1][c[2]] * (m[2][c[0]] * m[3][c[1]] - m[2][c[1]] * m[3][c[0]]);
}

static void *worker(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (int row = me; row < SIZE; row += N)
        multiply(square, matrix, row);
    pthread_barrier_wait(&barrier);
    for (int row = me; row < SIZE; row += N)
        multiply(fourth, square, row);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    pthread_barrier_init(&barrier, NULL, N);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    int determinant = 0;
    for (int i = 0; i < SIZE; i++)
        determinant += (i % 2 ? -1 : 1) * fourth[0][i] * determinant3(i);
    assert(determinant == 1296); // 6 to the fourth, by Laplace expansion
    return 0;
}
