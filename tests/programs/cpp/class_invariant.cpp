// A class checks its invariant in its member functions; without the lock, another thread breaks it.
// expect[sc,rc11]: verified complete=2
// twin[sc] `if (money < amount) return false;` -> ``: violation=assertion line=15
// twin[sc] `std::lock_guard lock(mutex); // take` -> ``: violation=assertion
#include <cassert>
#include <mutex>
#include <thread>

class Account {
  mutable std::mutex mutex;
  int money;
  int spent = 0;

  void check() const {
    assert(money >= 0 && spent >= 0);
  }

public:
  explicit Account(int money) : money(money) {}
  bool take(int amount) {
    std::lock_guard lock(mutex); // take
    check();
    if (money < amount) return false;
    money -= amount;
    spent += amount;
    check();
    return true;
  }
};

int main() {
  Account account(1);
  auto spend = [&] { account.take(1); };
  std::thread a(spend), b(spend);
  a.join();
  b.join();
}
