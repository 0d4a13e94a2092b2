// Transfers between accounts with a mutex each: both are locked, the one with the smaller number first.
// expect[sc,tso,rc11]: verified
// Locked in the order in which they are named, a circle of transfers comes to a halt.
// twin[sc,tso,rc11] `int first = from < to ? from : to;` -> `int first = from;`: violation=deadlock
// One of the two is not locked.
// twin[sc,rc11] `lock_account(second);` -> ``: violation=mutex line=36
// The sum is taken after the locks were given back.
// twin[sc,tso] `int sum = total();` -> `unlock_all(); int sum = total(); lock_all();`: violation=assertion line=76
// twin[rc11] `int sum = total();` -> `unlock_all(); int sum = total(); lock_all();`: violation=race
// The same one unlocked twice.
// twin[sc,rc11] `unlock_account(second);` -> `unlock_account(first);`: violation=mutex line=36
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define ACCOUNTS 3

struct account {
    pthread_mutex_t mutex;
    int balance; // guarded by mutex
};

static struct account accounts[ACCOUNTS] = {
    {PTHREAD_MUTEX_INITIALIZER, 100},
    {PTHREAD_MUTEX_INITIALIZER, 100},
    {PTHREAD_MUTEX_INITIALIZER, 100},
};

static void lock_account(int number)
{
    pthread_mutex_lock(&accounts[number].mutex);
}

static void unlock_account(int number)
{
    pthread_mutex_unlock(&accounts[number].mutex);
}

static void transfer(int from, int to, int amount)
{
    int first = from < to ? from : to;
    int second = from + to - first;
    lock_account(first);
    lock_account(second);
    accounts[from].balance -= amount;
    accounts[to].balance += amount;
    unlock_account(second);
    unlock_account(first);
}

static int total(void)
{
    int sum = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        sum += accounts[i].balance;
    return sum;
}

static void lock_all(void)
{
    for (int i = 0; i < ACCOUNTS; i++)
        lock_account(i);
}

static void unlock_all(void)
{
    for (int i = 0; i < ACCOUNTS; i++)
        unlock_account(i);
}

static void audit(void)
{
    lock_all();
    int sum = total();
    unlock_all();
    assert(sum == ACCOUNTS * 100);
}

static void *customer(void *arg)
{
    int self = (int)(intptr_t)arg;
    transfer(self, (self + 1) % ACCOUNTS, 10 * (self + 1));
    return NULL;
}

int main(void)
{
    pthread_t customers[ACCOUNTS];
    for (intptr_t i = 0; i < ACCOUNTS; i++)
        pthread_create(&customers[i], NULL, customer, (void *)i);
    audit();
    for (int i = 0; i < ACCOUNTS; i++)
        pthread_join(customers[i], NULL);
    assert(accounts[0].balance == 120 && accounts[1].balance == 90 && accounts[2].balance == 90);
    return 0;
}
