// A ring for one producer and one consumer, as a template: indices are published with release and read with acquire.
// expect[sc,rc11]: verified
// twin[rc11] `tail.store(end + 1, std::memory_order_release)` -> `tail.store(end + 1, std::memory_order_relaxed)`: violation=race
// twin[rc11] `head.store(first + 1, std::memory_order_release)` -> `head.store(first + 1, std::memory_order_relaxed)`: violation=race
// twin[sc] `== N` -> `== N + 1`: violation=assertion line=41
#include <array>
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>

template <class T, unsigned N>
class Ring {
  std::array<T, N> slots{};
  std::atomic<unsigned> head{0}, tail{0};

public:
  bool push(T value) {
    unsigned end = tail.load(std::memory_order_relaxed);
    if (end - head.load(std::memory_order_acquire) == N) return false;
    slots[end % N] = value;
    tail.store(end + 1, std::memory_order_release);
    return true;
  }
  std::optional<T> pop() {
    unsigned first = head.load(std::memory_order_relaxed);
    if (tail.load(std::memory_order_acquire) == first) return std::nullopt;
    T value = slots[first % N];
    head.store(first + 1, std::memory_order_release);
    return value;
  }
};

int main() {
  Ring<int, 1> ring;
  std::thread producer([&] {
    ring.push(1);
    ring.push(2);
  });
  if (auto first = ring.pop()) {
    assert(*first == 1);
    if (auto second = ring.pop()) assert(*second == 2);
  }
  producer.join();
}
