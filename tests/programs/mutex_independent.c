// Mutexes in structs: different ones do not order anything.
// expect[sc,tso,pso,rc11,rc11-cpp11]: verified complete=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct account {
    int balance;
    pthread_mutex_t lock;
} accounts[2] = {{10, PTHREAD_MUTEX_INITIALIZER}, {20, PTHREAD_MUTEX_INITIALIZER}};

static void *deposit(void *arg)
{
    struct account *account = arg;
    pthread_mutex_lock(&account->lock);
    account->balance += 5;
    pthread_mutex_unlock(&account->lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, deposit, &accounts[0]);
    pthread_create(&b, NULL, deposit, &accounts[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(accounts[0].balance == 15 && accounts[1].balance == 25);
    return 0;
}
