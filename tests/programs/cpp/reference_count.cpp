// An intrusive reference count as a template: the last owner deletes, after all others have finished.
// expect[sc,rc11]: verified
// twin[rc11] `std::memory_order_acq_rel` -> `std::memory_order_relaxed`: violation=freed
// twin[sc] `if (node) node->owners.fetch_add(1` -> `if (node) node->owners.fetch_add(0`: violation=freed
#include <atomic>
#include <cassert>
#include <thread>
#include <utility>

template <class T>
class Ref {
  struct Node {
    std::atomic<int> owners{1};
    T value;
    explicit Node(T value) : value(std::move(value)) {}
  };
  Node *node;

public:
  explicit Ref(T value) : node(new Node(std::move(value))) {}
  Ref(const Ref &other) : node(other.node) {
    if (node) node->owners.fetch_add(1, std::memory_order_relaxed);
  }
  Ref(Ref &&other) noexcept : node(std::exchange(other.node, nullptr)) {}
  Ref &operator=(const Ref &) = delete;
  ~Ref() {
    if (node && node->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete node;
  }
  const T &operator*() const { return node->value; }
};

int main() {
  Ref<int> first(3);
  std::thread t([mine = first] { assert(*mine == 3); });
  {
    Ref<int> moved = std::move(first);
    assert(*moved == 3);
  }
  t.join();
}
