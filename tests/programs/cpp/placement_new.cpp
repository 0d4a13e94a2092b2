// Objects that are made in memory of the program's own, and a class with its own operator new.
// expect[sc,rc11]: verified
// twin[rc11] `ready.store(slot, std::memory_order_release)` -> `ready.store(slot, std::memory_order_relaxed)`: violation=race
// twin[sc] `live--;` -> ``: violation=assertion line=39
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <new>
#include <thread>

struct Slot {
  int value;
  explicit Slot(int value) : value(value) {}
};
struct Node {
  static inline std::atomic<int> live{0};
  int value = 0;
  static void *operator new(std::size_t size) {
    live++;
    return std::malloc(size);
  }
  static void operator delete(void *memory) {
    live--;
    std::free(memory);
  }
};
alignas(Slot) unsigned char room[sizeof(Slot)];
std::atomic<Slot *> ready{nullptr};

int main() {
  std::thread t([] {
    Slot *slot = new (room) Slot(8);
    ready.store(slot, std::memory_order_release);
    delete new Node;
  });
  if (Slot *slot = ready.load(std::memory_order_acquire)) assert(slot->value == 8);
  delete new Node;
  t.join();
  assert(Node::live == 0);
}
