// Two asynchronous calls; their results arrive through futures.
// expect[sc,rc11]: verified
// twin[rc11] `std::atomic_fetch_add(&calls, 1)` -> `++plain`: violation=race
// twin[sc] `== 42` -> `== 43`: violation=assertion line=20
#include <atomic>
#include <cassert>
#include <future>
#include <thread>
std::atomic<int> calls{0};
int plain = 0;

int twice(int n) {
  std::atomic_fetch_add(&calls, 1);
  return 2 * n;
}
int main() {
  auto left = std::async(std::launch::async, twice, 10);
  auto right = std::async(std::launch::async, [] { return twice(11); });
  int sum = left.get() + right.get();
  assert(sum == 42 && calls == 2);
}
