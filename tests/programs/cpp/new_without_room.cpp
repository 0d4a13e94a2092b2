// Where there is no room, new throws, and new (std::nothrow) returns a null pointer. With --malloc-may-fail only
// the latter may fail here, in each of two calls: no handler catches what new throws.
// mazurka: --malloc-may-fail
// expect[sc,rc11]: verified complete=4
// twin[rc11] `new (std::nothrow) int[count]` -> `new int[count]`: violation=exception line=14
// twin[rc11] `if (small)` -> ``: violation=unallocated line=17
// twin[sc] `== nullptr` -> `!= nullptr`: violation=assertion line=15
// twin[sc] `throw_now = false` -> `throw_now = true`: violation=exception line=18
#include <cassert>
#include <new>

int main(int argc, char **) {
  long count = -argc;
  int *large = new (std::nothrow) int[count];
  assert(large == nullptr);
  int *small = new (std::nothrow) int, *sure = new int(1);
  if (small) *small = *sure;
  if (bool throw_now = false) throw 1;
  delete small, delete sure;
}
