// Functions that run before main, in the order of their priorities, and after it.
// expect[sc,rc11]: verified complete=1
// twin[sc] 101->103: violation=assertion
#include <assert.h>
static int x;
__attribute__((constructor(102))) static void second(void) { x = x * 2; }
__attribute__((constructor(101))) static void first(void) { x = 5; }
__attribute__((destructor)) static void last(void) { assert(x == 11); }
int main(void) {
  assert(x == 10);
  x++;
  return 0;
}
