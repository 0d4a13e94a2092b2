// Two phases of a std::barrier with a completion function: who comes last runs it, before anybody goes on.
// expect[sc,rc11]: verified
// twin[sc] `sync.arrive_and_wait(); // first` -> `(void)sync.arrive();`: violation=assertion line=16
// twin[sc,rc11] `std::barrier sync(2, next);` -> `std::barrier sync(3, next);`: violation=liveness
#include <barrier>
#include <cassert>
#include <thread>

int main() {
  int part[2] = {0, 0}, phase = 0;
  auto next = [&]() noexcept { phase++; };
  std::barrier sync(2, next);
  auto work = [&](int me) {
    part[me] = 1;
    sync.arrive_and_wait(); // first
    assert(part[1 - me] == 1 && phase == 1);
    sync.arrive_and_wait();
    part[me] = 2;
  };
  std::thread t(work, 0);
  work(1);
  t.join();
  assert(part[0] == 2 && part[1] == 2 && phase == 2);
}
