// Functions that are called by quick_exit, in the reverse order of their registration.
#include "own.h"

#define MOST 256

static void (*quick_exit_functions[MOST])(void);
static unsigned number_of_quick_exit_functions;

// Refused by name: it is not defined.
void __mazurka_too_many_endings(void);
void _Exit(int status);

int at_quick_exit(void (*function)(void)) {
  unsigned at = __atomic_fetch_add(&number_of_quick_exit_functions, 1, __ATOMIC_ACQ_REL);
  if (at >= MOST)
    __mazurka_too_many_endings();
  quick_exit_functions[at] = function;
  return 0;
}

void quick_exit(int status) {
  for (unsigned at = __atomic_load_n(&number_of_quick_exit_functions, __ATOMIC_ACQUIRE); at > 0; at--)
    quick_exit_functions[at - 1]();
  _Exit(status);
}
