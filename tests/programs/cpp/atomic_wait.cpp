// Waiting on an atomic until it changes; a waiter that asks for no order may not look at the data.
// expect[sc,rc11]: verified complete=1
// twin[rc11] `flag.wait(false, std::memory_order_acquire)` -> `flag.wait(false, std::memory_order_relaxed)`: violation=race lines=13,18
// twin[sc,rc11] `flag.store(true, std::memory_order_release);` -> ``: violation=liveness
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<bool> flag{false};
int data = 0;

int main() {
  std::thread t([] {
    data = 1;
    flag.store(true, std::memory_order_release);
    flag.notify_one();
  });
  flag.wait(false, std::memory_order_acquire);
  assert(data == 1);
  t.join();
}
