// A recursive mutex is taken again by the function that another one calls; a plain one is not.
// expect[sc,rc11]: verified complete=2
// twin[sc,rc11] `std::recursive_mutex mutex` -> `std::mutex mutex`: violation=deadlock line=12
// twin[rc11] `std::lock_guard lock(mutex);` -> ``: violation=race
#include <cassert>
#include <mutex>
#include <thread>
std::recursive_mutex mutex;
int balance = 0;

void deposit(int amount) {
  std::lock_guard lock(mutex);
  balance += amount;
}
void deposit_twice(int amount) {
  std::lock_guard lock(mutex);
  deposit(amount);
  deposit(amount);
}
int main() {
  std::thread t([] { deposit_twice(1); });
  deposit(5);
  t.join();
  assert(balance == 7);
}
