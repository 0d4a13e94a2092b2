// A pool of connections: a semaphore counts those that are free, and a mutex guards the list of them.
// expect[sc,tso,rc11]: verified
// The semaphore says how many, but not which.
// twin[rc11] `pthread_mutex_lock(&pool->mutex); // pop` -> `;`: violation=mutex line=42
// One more than there are.
// twin[sc,rc11] `sem_init(&pool.available, 0, CONNECTIONS);` -> `sem_init(&pool.available, 0, CONNECTIONS + 1);`: violation=assertion line=40
// A connection that is given back before its last use.
// twin[rc11] `use(connection);` -> `give(&pool, connection); use(connection);`: violation=race lines=57,57
// A connection that is not given back.
// twin[sc,rc11] `give(&pool, connection);` -> ``: violation=deadlock
// Given back, but nobody is told.
// twin[sc,rc11] `sem_post(&pool->available);` -> ``: violation=deadlock
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#define CONNECTIONS 2
#define CLIENTS 3

struct connection {
    struct connection *next;
    int queries; // by the client that has the connection
};

struct pool {
    sem_t available;
    pthread_mutex_t mutex;
    struct connection *first; // guarded by mutex
};

static struct pool pool;
static struct connection connections[CONNECTIONS];

static struct connection *take(struct pool *pool)
{
    sem_wait(&pool->available);
    pthread_mutex_lock(&pool->mutex); // pop
    struct connection *connection = pool->first;
    assert(connection != NULL);
    pool->first = connection->next;
    pthread_mutex_unlock(&pool->mutex);
    return connection;
}

static void give(struct pool *pool, struct connection *connection)
{
    pthread_mutex_lock(&pool->mutex);
    connection->next = pool->first;
    pool->first = connection;
    pthread_mutex_unlock(&pool->mutex);
    sem_post(&pool->available);
}

static void use(struct connection *connection)
{
    connection->queries++;
}

static void *client(void *arg)
{
    (void)arg;
    struct connection *connection = take(&pool);
    use(connection);
    give(&pool, connection);
    return NULL;
}

int main(void)
{
    pthread_t clients[CLIENTS];
    sem_init(&pool.available, 0, CONNECTIONS);
    pthread_mutex_init(&pool.mutex, NULL);
    for (int i = 0; i < CONNECTIONS; i++) {
        connections[i].next = pool.first;
        pool.first = &connections[i];
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&clients[i], NULL, client, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], NULL);
    assert(connections[0].queries + connections[1].queries == CLIENTS);
    return 0;
}
