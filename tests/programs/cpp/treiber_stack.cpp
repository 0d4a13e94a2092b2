// Treiber's stack as a template: what is popped was pushed, and its node was written before.
// expect[sc,rc11]: verified
// twin[rc11] release->relaxed: violation=race
#include <atomic>
#include <cassert>
#include <thread>

template <class T>
class Stack {
  struct Node {
    T value;
    Node *next;
  };
  std::atomic<Node *> head{nullptr};

public:
  void push(T value) {
    Node *node = new Node{value, head.load(std::memory_order_relaxed)};
    while (!head.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }
  bool pop(T &value) {
    Node *node = head.load(std::memory_order_acquire);
    while (node && !head.compare_exchange_weak(node, node->next, std::memory_order_acquire)) {
    }
    if (!node) return false;
    value = node->value;
    return true;
  }
};

int main() {
  Stack<int> stack;
  std::thread producer([&] {
    stack.push(1);
    stack.push(2);
  });
  int value = 0;
  if (stack.pop(value)) assert(value == 1 || value == 2);
  producer.join();
}
