// Money moves between two accounts, and an auditor sees their sum unchanged.
// expect[sc,tso,pso,ra,rc11-ra,rc11]: verified complete=5 blocked=0
// twin[sc,rc11] __VERIFIER_atomic_audit->audit_in_parts: violation=assertion line=40
// If money moves there before some of it moves back, the auditor comes before, between or after the two. If the second
// transfer finds too little it changes nothing, and the auditor comes before or after the first one.
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define audit __VERIFIER_atomic_audit

static atomic_int here = 10, there;

static void transfer(atomic_int *from, atomic_int *to, int amount)
{
    __VERIFIER_atomic_begin();
    if (*from >= amount) {
        *from -= amount;
        *to += amount;
    }
    __VERIFIER_atomic_end();
}

static void *move_there(void *arg)
{
    transfer(&here, &there, 3);
    return arg;
}

static void *move_back(void *arg)
{
    transfer(&there, &here, 2);
    return arg;
}

static void audit(void)
{
    assert(here + there == 10);
}

static void *auditor(void *arg)
{
    audit();
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, move_there, NULL);
    pthread_create(&t[1], NULL, move_back, NULL);
    pthread_create(&t[2], NULL, auditor, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
