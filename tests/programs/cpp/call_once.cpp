// std::call_once runs the function once; whoever calls it sees the result.
// expect[sc,rc11]: verified
// twin[rc11] `std::call_once(once, make);` -> `if (!table) make();`: violation=race
// twin[sc] `std::call_once(once, make);` -> `if (!table) make();`: violation=assertion
#include <cassert>
#include <mutex>
#include <thread>
std::once_flag once;
int *table = nullptr;
int made = 0;

void make() {
  made++;
  table = new int(4);
}
int lookup() {
  std::call_once(once, make);
  return *table;
}
int main() {
  std::thread t([] { assert(lookup() == 4); });
  assert(lookup() == 4);
  t.join();
  assert(made == 1);
}
