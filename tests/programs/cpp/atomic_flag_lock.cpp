// A spin lock of std::atomic_flag, taken through std::unique_lock; it waits without writing.
// expect[sc,tso,rc11]: verified
// twin[rc11] `test_and_set(std::memory_order_acquire)` -> `test_and_set(std::memory_order_relaxed)`: violation=race
// twin[rc11] `clear(std::memory_order_release)` -> `clear(std::memory_order_relaxed)`: violation=race
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class SpinLock {
  std::atomic_flag taken;

public:
  void lock() {
    while (taken.test_and_set(std::memory_order_acquire)) taken.wait(true, std::memory_order_relaxed);
  }
  void unlock() {
    taken.clear(std::memory_order_release);
    taken.notify_one();
  }
};

SpinLock spin;
int count = 0;
int main() {
  auto work = [] {
    std::unique_lock lock(spin);
    count++;
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(count == 2);
}
