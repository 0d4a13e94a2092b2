// Two transfers lock two accounts in opposite orders. std::scoped_lock backs off, lock_guards wait for each other.
// expect[sc,rc11]: verified complete=2
// twin[sc,rc11] `std::scoped_lock lock(from.mutex, to.mutex);` -> `std::lock_guard a(from.mutex); std::lock_guard b(to.mutex);`: violation=deadlock
// twin[rc11] `std::scoped_lock lock(from.mutex, to.mutex);` -> `std::scoped_lock lock(from.mutex);`: violation=race
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int money = 10;
};
void transfer(Account &from, Account &to, int amount) {
  std::scoped_lock lock(from.mutex, to.mutex);
  from.money -= amount;
  to.money += amount;
}
int main() {
  Account mine, yours;
  std::thread a([&] { transfer(mine, yours, 3); });
  std::thread b([&] { transfer(yours, mine, 4); });
  a.join();
  b.join();
  assert(mine.money == 11 && yours.money == 9);
}
