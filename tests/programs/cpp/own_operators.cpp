// A program that replaces new and delete: the forms for arrays, with sizes and without exceptions call these.
// expect[sc,rc11]: verified complete=1
// twin[sc] `new (std::nothrow) Point` -> `malloc(8)`: violation=assertion line=22
// twin[sc] `::free(memory)` -> `::operator delete(memory, 8)`: violation=stack-overflow
#include <cassert>
#include <cstdlib>
#include <new>

static int made, ended;
void *operator new(std::size_t size) { return made++, malloc(size); }
void operator delete(void *memory) noexcept { ended++, ::free(memory); }

struct Point {
  int x, y;
  ~Point() { x = y = 0; }
};

int main() {
  delete new Point;
  delete[] new Point[2];
  void *raw = new (std::nothrow) Point;
  assert(made == 3);
  ::operator delete(raw);
  assert(ended == 3);
}
