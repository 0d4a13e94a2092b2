// A program without arguments: main sees none, and getopt finds no option.
// expect[sc,rc11]: verified complete=1 blocked=0
// twin[sc] argc==1->argc==2: violation=assertion
#include <assert.h>
#include <getopt.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long seen;

static void *ask(void *arg)
{
    seen = getpid();
    return arg;
}

int main(int argc, char **argv)
{
    static const struct option names[] = {{"rounds", required_argument, NULL, 'n'}, {0}};
    int option, rounds = 3;
    while ((option = getopt(argc, argv, "n:h")) != -1)
        rounds = option == 'n' ? atoi(optarg) : 0;
    assert(getopt_long(argc, argv, "n:", names, NULL) == -1);
    assert(rounds == 3 && optind == 1 && opterr == 1 && optopt == '?' && !optarg);
    assert(argc==1);
    assert(strlen(argv[0]) > 0 && argv[1] == NULL && argv[optind] == NULL);

    pthread_t thread;
    pthread_create(&thread, NULL, ask, NULL);
    pthread_join(thread, NULL);
    assert(seen == getpid() && seen != getppid());
    return 0;
}
