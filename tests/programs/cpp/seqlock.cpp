// A sequence lock around any small type whose words are copied as relaxed atomics.
// expect[sc,tso,rc11]: verified
// twin[rc11] `std::atomic_thread_fence(std::memory_order_release)` -> `(void)0`: violation=assertion line=50
// twin[rc11] `std::atomic_thread_fence(std::memory_order_acquire)` -> `(void)0`: violation=assertion line=50
// twin[sc] `before % 2 == 0 && ` -> ``: violation=assertion line=50
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>
#include <type_traits>

template <class T>
class SeqLock {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(int) == 0);
  static constexpr int words = sizeof(T) / sizeof(int);
  std::atomic<unsigned> sequence{0};
  std::atomic<int> copy[words]{};

public:
  void write(const T &value) {
    unsigned before = sequence.load(std::memory_order_relaxed);
    sequence.store(before + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    int parts[words];
    __builtin_memcpy(parts, &value, sizeof value);
    for (int i = 0; i < words; i++) copy[i].store(parts[i], std::memory_order_relaxed);
    sequence.store(before + 2, std::memory_order_release);
  }
  std::optional<T> read() const {
    unsigned before = sequence.load(std::memory_order_acquire);
    int parts[words];
    for (int i = 0; i < words; i++) parts[i] = copy[i].load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    unsigned after = sequence.load(std::memory_order_relaxed);
    if (!(before % 2 == 0 && before == after)) return std::nullopt;
    T value;
    __builtin_memcpy(&value, parts, sizeof value);
    return value;
  }
};

struct Point {
  int x, y;
};

int main() {
  SeqLock<Point> place;
  std::thread writer([&] { place.write({1, 1}); });
  if (auto point = place.read()) {
    assert(point->x == point->y);
  }
  writer.join();
}
