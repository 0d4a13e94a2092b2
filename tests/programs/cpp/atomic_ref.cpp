// atomic_ref makes the accesses to a plain variable atomic; accesses without it race.
// expect[sc,tso,rc11]: verified complete=6
// twin[rc11] `std::atomic_ref(count).fetch_add(1, std::memory_order_relaxed);` -> `count++;`: violation=race
// twin[sc] `std::atomic_ref(count).fetch_add(1, std::memory_order_relaxed);` -> `count++;`: violation=assertion
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

int main() {
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back([&] {
      std::atomic_ref(count).fetch_add(1, std::memory_order_relaxed);
    });
  for (auto &thread : threads) thread.join();
  assert(count == 3);
}
