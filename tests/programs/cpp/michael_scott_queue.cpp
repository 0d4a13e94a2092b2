// Michael and Scott's queue as a template, without reclamation: what one thread enqueues, another dequeues.
// expect[sc,rc11]: verified
// twin[rc11] `compare_exchange_strong(next, node, std::memory_order_release` -> `compare_exchange_strong(next, node, std::memory_order_relaxed`: violation=race
// twin[sc] `head.compare_exchange_strong(first, next)` -> `(head.store(next), true)`: violation=assertion
#include <atomic>
#include <cassert>
#include <thread>

template <class T>
class Queue {
  struct Node {
    T value;
    std::atomic<Node *> next{nullptr};
  };
  std::atomic<Node *> head, tail;

public:
  Queue() {
    Node *dummy = new Node;
    head.store(dummy);
    tail.store(dummy);
  }
  void enqueue(T value) {
    Node *node = new Node{value};
    for (;;) {
      Node *last = tail.load(std::memory_order_acquire), *next = nullptr;
      if (last->next.compare_exchange_strong(next, node, std::memory_order_release, std::memory_order_acquire)) {
        tail.compare_exchange_strong(last, node, std::memory_order_release, std::memory_order_relaxed);
        return;
      }
      tail.compare_exchange_strong(last, next, std::memory_order_release, std::memory_order_relaxed);
    }
  }
  bool dequeue(T &value) {
    Node *first = head.load(std::memory_order_acquire);
    Node *next = first->next.load(std::memory_order_acquire);
    if (!next || !head.compare_exchange_strong(first, next)) return false;
    value = next->value;
    return true;
  }
};

int main() {
  Queue<int> queue;
  std::atomic<int> taken{0};
  auto take = [&] {
    int value;
    if (queue.dequeue(value)) {
      assert(value == 7);
      taken++;
    }
  };
  std::thread producer([&] { queue.enqueue(7); });
  std::thread consumer(take);
  take();
  producer.join();
  consumer.join();
  assert(taken <= 1);
}
