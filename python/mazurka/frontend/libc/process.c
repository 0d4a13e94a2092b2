// Functions of unistd.h that ask about the process, and getopt. There is one process, and it has no arguments.
// getopt looks at none: a list that has some does not come from main.

#define PROCESS 1000
#define PARENT 999

char *optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';

// Refused by name: it is not defined.
void __mazurka_getopt_arguments(void);

int getpid(void) { return PROCESS; }

int getppid(void) { return PARENT; }

int getopt(int count, char *const arguments[], const char *options) {
  (void)arguments, (void)options;
  if (optind < count)
    __mazurka_getopt_arguments();
  return -1;
}

int getopt_long(int count, char *const arguments[], const char *options, const void *names, int *index) {
  (void)names, (void)index;
  return getopt(count, arguments, options);
}
