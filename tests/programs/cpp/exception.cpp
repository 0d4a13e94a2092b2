// An exception that is thrown ends the run: handlers are not modelled.
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
  try {
    check(1);
  } catch (const std::exception &) {
  }
  t.join();
  assert(x.load() == 0);
}
