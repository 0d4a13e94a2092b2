// Two threads come to a static variable inside a function: one of them initialises it, the other waits.
// expect[sc,rc11]: verified
// twin[rc11] `static Table table;` -> `static bool made; static Table *made_table; if (!made) { made = true; made_table = new Table; } Table &table = *made_table;`: violation=race
// twin[sc] `entries[1] = 2;` -> `entries[1] = 3;`: violation=assertion
#include <cassert>
#include <thread>

int constructed = 0;
struct Table {
  int entries[2];
  Table() {
    entries[0] = 1;
    entries[1] = 2;
    constructed++;
  }
};
int lookup(int at) {
  static Table table;
  return table.entries[at];
}
int main() {
  std::thread t([] { assert(lookup(0) == 1); });
  assert(lookup(1) == 2);
  t.join();
  assert(constructed == 1);
}
