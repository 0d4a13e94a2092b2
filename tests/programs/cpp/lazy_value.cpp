// A value that is made when it is first needed, by double-checked locking, as a template.
// expect[sc,rc11]: verified
// twin[rc11] `made.store(value, std::memory_order_release)` -> `made.store(value, std::memory_order_relaxed)`: violation=race
// twin[rc11] `made.load(std::memory_order_acquire)` -> `made.load(std::memory_order_relaxed)`: violation=race
// twin[sc] `if (T *again = made.load(std::memory_order_relaxed)) return *again;` -> ``: violation=assertion
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

int built = 0;

template <class T>
class Lazy {
  std::atomic<T *> made{nullptr};
  std::mutex mutex;

public:
  ~Lazy() { delete made.load(); }
  template <class F>
  T &get(F build) {
    if (T *value = made.load(std::memory_order_acquire)) return *value;
    std::lock_guard lock(mutex);
    if (T *again = made.load(std::memory_order_relaxed)) return *again;
    T *value = new T(build());
    made.store(value, std::memory_order_release);
    return *value;
  }
};

int main() {
  Lazy<int> lazy;
  auto build = [] {
    built++;
    return 6;
  };
  std::thread t([&] { assert(lazy.get(build) == 6); });
  assert(lazy.get(build) == 6);
  t.join();
  assert(built == 1);
}
