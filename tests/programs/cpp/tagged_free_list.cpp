// A free list whose head carries a tag, in one 16-byte atomic: without the tag, a slow thread corrupts the list (ABA).
// expect[sc,rc11]: verified
// twin[sc] `head.tag + 1` -> `0`: violation=assertion
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

template <class T, int N>
class Pool {
  struct Block {
    std::atomic<Block *> next{nullptr};
    std::atomic<int> users{0};
    T value{};
  };
  struct Head {
    Block *block;
    std::uint64_t tag;
  };
  Block blocks[N];
  std::atomic<Head> top;

public:
  Pool() {
    for (int i = 0; i + 1 < N; i++) blocks[i].next.store(&blocks[i + 1]);
    top.store({&blocks[0], 0});
  }
  Block *get() {
    Head head = top.load(std::memory_order_acquire);
    while (head.block) {
      Head after{head.block->next.load(std::memory_order_relaxed), head.tag + 1};
      if (top.compare_exchange_strong(head, after, std::memory_order_acquire, std::memory_order_acquire)) {
        assert(head.block->users.fetch_add(1) == 0);
        return head.block;
      }
    }
    return nullptr;
  }
  void put(Block *block) {
    block->users.fetch_sub(1);
    Head head = top.load(std::memory_order_relaxed);
    do block->next.store(head.block, std::memory_order_relaxed);
    while (!top.compare_exchange_strong(head, {block, head.tag}, std::memory_order_release, std::memory_order_relaxed));
  }
};

int main() {
  Pool<int, 2> pool;
  std::thread other([&] {
    auto *a = pool.get(), *b = pool.get();
    if (a) pool.put(a);
    auto *c = pool.get();
    (void)b, (void)c;
  });
  pool.get();
  other.join();
  pool.get();
}
