// Destructors of thread_local objects, which run at the end of their thread, in the reverse order of construction.
#include <pthread.h>

struct __mazurka_thread_ending {
  void (*function)(void*);
  void* argument;
};
constexpr unsigned __mazurka_most = 32;
static thread_local __mazurka_thread_ending __mazurka_thread_endings[__mazurka_most];
static thread_local unsigned __mazurka_thread_ending_count;
static pthread_key_t __mazurka_thread_key;  // its destructor is called at the end of each thread but main

// Refused by name: it is not defined.
extern "C" void __mazurka_too_many_thread_local_destructors();

// Called where main returns (frontend/lowering/startup.py), before static objects are destroyed.
extern "C" __attribute__((used)) void __mazurka_finish_thread() {
  while (__mazurka_thread_ending_count > 0) {
    __mazurka_thread_ending_count--;
    void* argument = __mazurka_thread_endings[__mazurka_thread_ending_count].argument;
    __mazurka_thread_endings[__mazurka_thread_ending_count].function(argument);
  }
}

static void __mazurka_run_thread_endings(void*) { __mazurka_finish_thread(); }

__attribute__((constructor)) static void __mazurka_make_thread_key() {
  pthread_key_create(&__mazurka_thread_key, __mazurka_run_thread_endings);
}

extern "C" int __cxa_thread_atexit(void (*function)(void*), void* argument, void*) {
  if (__mazurka_thread_ending_count >= __mazurka_most)
    __mazurka_too_many_thread_local_destructors();
  __mazurka_thread_endings[__mazurka_thread_ending_count].argument = argument;
  __mazurka_thread_endings[__mazurka_thread_ending_count].function = function;
  __mazurka_thread_ending_count++;
  pthread_setspecific(__mazurka_thread_key, &__mazurka_thread_key);
  return 0;
}
