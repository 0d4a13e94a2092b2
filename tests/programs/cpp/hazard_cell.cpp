// A value that is replaced while others read it; a hazard pointer keeps the old one alive.
// expect[sc,rc11]: verified
// twin[rc11] `hazard.store(node, std::memory_order_seq_cst)` -> `hazard.store(node, std::memory_order_release)`: violation=freed
// twin[sc] `seen = current.load(std::memory_order_seq_cst)` -> `seen = node`: violation=freed
// twin[rc11] `hazard.store(nullptr, std::memory_order_release)` -> `hazard.store(nullptr, std::memory_order_relaxed)`: violation=freed
#include <atomic>
#include <cassert>
#include <thread>

template <class T>
class Cell {
  std::atomic<T *> current;
  std::atomic<T *> hazard{nullptr};

public:
  explicit Cell(T value) : current(new T(value)) {}
  ~Cell() { delete current.load(); }
  T read() {
    T *node = nullptr, *seen = current.load(std::memory_order_relaxed);
    while (node != seen) {
      node = seen;
      hazard.store(node, std::memory_order_seq_cst);
      seen = current.load(std::memory_order_seq_cst);
    }
    T value = *node;
    hazard.store(nullptr, std::memory_order_release);
    return value;
  }
  void replace(T value) {
    T *old = current.exchange(new T(value), std::memory_order_seq_cst);
    while (hazard.load(std::memory_order_seq_cst) == old) {
    }
    delete old;
  }
};

int main() {
  Cell<int> cell(1);
  std::thread writer([&] { cell.replace(2); });
  int value = cell.read();
  assert(value == 1 || value == 2);
  writer.join();
}
