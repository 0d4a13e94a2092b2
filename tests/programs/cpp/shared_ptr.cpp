// Copies of a shared_ptr in two threads: the last one destroys the object; a weak_ptr gets hold of it, or does not.
// expect[sc,rc11]: verified
// twin[sc,rc11] `[mine = node]` -> `[mine = node.get()]`: violation=freed
// twin[sc] `if (auto held = weak.lock()) assert(held->value == 7);` -> `assert(weak.lock()->value == 7);`: violation=unallocated line=17
#include <cassert>
#include <memory>
#include <thread>

struct Node {
  int value;
};
int main() {
  std::shared_ptr<Node> node(new Node{7});
  std::weak_ptr<Node> weak = node;
  std::thread t([mine = node] { assert(mine->value == 7); });
  node.reset();
  if (auto held = weak.lock()) assert(held->value == 7);
  t.join();
  assert(weak.expired());
}
