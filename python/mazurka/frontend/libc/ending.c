// Functions that are called when the program ends, in the reverse order of their registration: those given to
// atexit, and destructors of static objects in C++. Threads may register some at the same time.
#include "own.h"

#define MOST 256

static struct {
  void (*function)(void *);
  void *argument;
} atexit_functions[MOST];
static unsigned number_of_atexit_functions;
char __dso_handle; // which library registers a function; there is only the program

// Refused by name: it is not defined.
void __mazurka_too_many_endings(void);

int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
  (void)library;
  unsigned at = __atomic_fetch_add(&number_of_atexit_functions, 1, __ATOMIC_ACQ_REL);
  if (at >= MOST)
    __mazurka_too_many_endings();
  atexit_functions[at].argument = argument;
  atexit_functions[at].function = function;
  return 0;
}

static void call(void *function) { ((void (*)(void))function)(); }

int atexit(void (*function)(void)) { return __cxa_atexit(call, (void *)function, NULL); }

// Called where main returns, and by exit (frontend/lowering/startup.py).
__attribute__((used)) void __mazurka_finish(void) {
  unsigned at;
  while ((at = __atomic_load_n(&number_of_atexit_functions, __ATOMIC_ACQUIRE)) > 0) {
    __atomic_store_n(&number_of_atexit_functions, at - 1, __ATOMIC_RELAXED);
    atexit_functions[at - 1].function(atexit_functions[at - 1].argument);
  }
}
