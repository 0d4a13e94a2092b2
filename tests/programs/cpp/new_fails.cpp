// With --malloc-may-fail, new throws where std::bad_alloc would be caught, and nowhere else. If there is no room,
// it always throws.
// mazurka: --malloc-may-fail
// expect[sc,rc11]: verified complete=4
// twin[rc11] `|| got == 0` -> ``: violation=assertion line=37
// twin[sc] `(new int(1)) != nullptr` -> `(new (std::nothrow) int) != nullptr`: violation=assertion line=37
// twin[sc] `const std::exception &` -> `const std::bad_cast &`: violation=exception line=34
#include <cassert>
#include <memory>
#include <new>
#include <typeinfo>

int live = 0;
struct Counted {
  Counted() { live++; }
  ~Counted() { live--; }
};
bool quiet() noexcept { return std::unique_ptr<int>(new int(1)) != nullptr; }
int count(long length) {
  try {
    Counted counted;
    if (!quiet()) return -1;
    delete[] new int[length];
    return length;
  } catch (const std::bad_alloc &) {
    return live;
  }
}
int main(int argc, char **) {
  std::unique_ptr<int> sure(new int(1));
  bool has_room = true;
  int got = count(2);
  try {
    delete[] new int[-argc];
  } catch (const std::exception &) { has_room = false; }
  assert(*sure == 1 && !has_room && live == 0);
  assert(got == 2 || got == 0);
}
