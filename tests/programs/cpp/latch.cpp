// Two workers count a latch down when their part is done; who waited for it sees both parts.
// expect[sc,rc11]: verified complete=2
// twin[sc] `done.wait();` -> ``: violation=assertion line=21
// twin[sc,rc11] `std::latch done(2)` -> `std::latch done(3)`: violation=liveness
#include <cassert>
#include <latch>
#include <thread>

int main() {
  std::latch done(2);
  int left = 0, right = 0;
  std::thread a([&] {
    left = 1;
    done.count_down();
  });
  std::thread b([&] {
    right = 1;
    done.count_down();
  });
  done.wait();
  assert(left + right == 2);
  a.join();
  b.join();
}
