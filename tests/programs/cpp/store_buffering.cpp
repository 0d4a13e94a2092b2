// Store buffering with std::atomic, std::thread and lambdas: both may read 0, unless all four are seq_cst.
// The counts are those of the same program in C: tests/test_spellings.py compares such programs.
// expect[sc]: verified complete=3
// expect[tso,rc11]: violation=assertion line=21
// twin[rc11] `relaxed` -> `seq_cst`: violation=assertion
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x{0}, y{0};

int main() {
  int a = 0;
  std::thread t([&] {
    x.store(1, std::memory_order_relaxed);
    a = y.load(std::memory_order_relaxed);
  });
  y.store(1, std::memory_order_relaxed);
  int b = x.load(std::memory_order_relaxed);
  t.join();
  assert(a == 1 || b == 1);
}
