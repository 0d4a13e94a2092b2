// A bounded queue whose cells say by a number whose turn it is.
// expect[sc,rc11]: verified
// twin[rc11] `cell.turn.store(at + 1, std::memory_order_release)` -> `cell.turn.store(at + 1, std::memory_order_relaxed)`: violation=race
// twin[rc11] `turn.load(std::memory_order_acquire) != at + 1` -> `turn.load(std::memory_order_relaxed) != at + 1`: violation=race
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

template <class T, std::size_t N>
class Ring {
  struct Cell {
    std::atomic<std::size_t> turn;
    T value;
  };
  Cell cells[N];
  std::atomic<std::size_t> in{0}, out{0};

public:
  Ring() {
    for (std::size_t i = 0; i < N; i++) cells[i].turn.store(i, std::memory_order_relaxed);
  }
  bool push(T value) {
    std::size_t at = in.load(std::memory_order_relaxed);
    Cell &cell = cells[at % N];
    if (cell.turn.load(std::memory_order_acquire) != at) return false;
    if (!in.compare_exchange_strong(at, at + 1, std::memory_order_relaxed)) return false;
    cell.value = value;
    cell.turn.store(at + 1, std::memory_order_release);
    return true;
  }
  bool pop(T &value) {
    std::size_t at = out.load(std::memory_order_relaxed);
    Cell &cell = cells[at % N];
    if (cell.turn.load(std::memory_order_acquire) != at + 1) return false;
    if (!out.compare_exchange_strong(at, at + 1, std::memory_order_relaxed)) return false;
    value = cell.value;
    cell.turn.store(at + N, std::memory_order_release);
    return true;
  }
};

int main() {
  Ring<int, 2> ring;
  std::atomic<int> pushed{0};
  auto produce = [&] { if (ring.push(5)) pushed++; };
  std::thread a(produce), b(produce);
  int value = 0;
  if (ring.pop(value)) assert(value == 5);
  a.join();
  b.join();
  assert(pushed >= 1);
}
