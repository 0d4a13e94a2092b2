// Functions that are called when main returns, in the reverse order of their registration: destructors of static
// objects, mostly. Threads may register some at the same time.
struct __mazurka_ending {
  void (*function)(void*);
  void* argument;
};
extern "C" {
char __dso_handle;  // which library registers a function; there is only the program
}
static __mazurka_ending __mazurka_endings[256];
static unsigned __mazurka_ending_count;

extern "C" int __cxa_atexit(void (*function)(void*), void* argument, void*) {
  unsigned at = __atomic_fetch_add(&__mazurka_ending_count, 1, __ATOMIC_ACQ_REL);
  __mazurka_endings[at].argument = argument;
  __mazurka_endings[at].function = function;
  return 0;
}

// Called where main returns (frontend/lowering/startup.py).
extern "C" __attribute__((used)) void __mazurka_finish() {
  for (unsigned at = __atomic_load_n(&__mazurka_ending_count, __ATOMIC_ACQUIRE); at > 0; at--)
    __mazurka_endings[at - 1].function(__mazurka_endings[at - 1].argument);
}
