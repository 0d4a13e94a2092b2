// A ticket lock that std::lock_guard takes like a mutex, in a template that guards a value.
// expect[sc,tso,rc11]: verified complete=2
// twin[rc11] `std::memory_order_acquire` -> `std::memory_order_relaxed`: violation=race lines=39,39
// twin[rc11] `std::memory_order_release` -> `std::memory_order_relaxed`: violation=race lines=39,39
// twin[sc] `next.fetch_add(1, std::memory_order_relaxed)` -> `next.load(std::memory_order_relaxed)`: violation=liveness line=17
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class TicketLock {
  std::atomic<unsigned> next{0}, serving{0};

public:
  void lock() {
    unsigned mine = next.fetch_add(1, std::memory_order_relaxed);
    while (serving.load(std::memory_order_acquire) != mine) std::this_thread::yield();
  }
  void unlock() { serving.store(serving.load(std::memory_order_relaxed) + 1, std::memory_order_release); }
};

template <class T, class Lock>
class Guarded {
  T value{};
  Lock lock;

public:
  template <class F>
  auto with(F f) {
    std::lock_guard guard(lock);
    return f(value);
  }
};

int main() {
  Guarded<int, TicketLock> count;
  auto work = [&] {
    count.with([](int &n) {
      n++;
    });
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(count.with([](int n) { return n; }) == 2);
}
