// An exception is thrown in one of two executions, and caught as its base; a destructor runs on the way.
// expect[sc,rc11]: verified complete=2 blocked=0
// twin[sc] `const std::exception &` -> `const std::logic_error &`: violation=exception line=14
// twin[rc11] `) {  // none` -> `) noexcept {`: violation=exception line=14
// twin[sc] `left++` -> `left += 2`: violation=assertion line=29
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>
std::atomic<int> x{0};
int left = 0;
struct Leaving { ~Leaving() { left++; } };
void refuse() {
  throw std::runtime_error("too early");
}
void check(int seen) {  // none
  Leaving leaving;
  if (seen == 1) refuse();
}
int main() {
  std::thread t([] { x.store(1); });
  bool caught = false;
  int seen = x.load();
  try {
    check(seen);
  } catch (const std::exception &) {
    caught = true;
  }
  assert(caught == (seen == 1) && left == 1);
  t.join();
}
