// A queue for many producers and one consumer: an exchange takes the place, a store of the link hands it over.
// expect[sc,rc11]: verified
// twin[rc11] `before->next.store(node, std::memory_order_release)` -> `before->next.store(node, std::memory_order_relaxed)`: violation=race
// twin[rc11] `next.load(std::memory_order_acquire)` -> `next.load(std::memory_order_relaxed)`: violation=race
#include <atomic>
#include <cassert>
#include <thread>

template <class T>
class Queue {
  struct Node {
    T value{};
    std::atomic<Node *> next{nullptr};
  };
  std::atomic<Node *> newest;
  Node *oldest;

public:
  Queue() : newest(new Node), oldest(newest.load()) {}
  ~Queue() {
    while (oldest) {
      Node *node = oldest;
      oldest = node->next.load();
      delete node;
    }
  }
  void push(T value) {
    Node *node = new Node;
    node->value = value;
    Node *before = newest.exchange(node, std::memory_order_acq_rel);
    before->next.store(node, std::memory_order_release);
  }
  bool pop(T &value) {
    Node *next = oldest->next.load(std::memory_order_acquire);
    if (!next) return false;
    value = next->value;
    delete oldest;
    oldest = next;
    return true;
  }
};

int main() {
  Queue<int> queue;
  std::thread a([&] { queue.push(1); }), b([&] { queue.push(2); });
  int value = 0, sum = 0;
  while (queue.pop(value)) sum += value;
  a.join();
  b.join();
  while (queue.pop(value)) sum += value;
  assert(sum == 3);
}
