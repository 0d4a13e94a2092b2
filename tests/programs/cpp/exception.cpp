// An exception that nothing catches ends the run where it is thrown.
// expect[sc,rc11]: violation=exception line=10
// twin[sc] `x.load() == 1` -> `x.load() == 2`: violation=assertion
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>
std::atomic<int> x{0};
void check(int) {
  if (x.load() == 1) throw std::runtime_error("too early");
}
int main() {
  std::thread t([] { x.store(1); });
  check(1);
  t.join();
  assert(x.load() == 0);
}
