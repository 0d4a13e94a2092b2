// Each thread has its own thread_local object, made when it is first used and destroyed when the thread ends.
// expect[sc,rc11]: verified complete=2
// twin[sc] `total.fetch_add(mine);` -> ``: violation=assertion line=25
// twin[rc11] `thread_local Counter counter;` -> `Counter counter;`: violation=race
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> total{0};

struct Counter {
  int mine = 0;
  ~Counter() {
    total.fetch_add(mine);
  }
};
thread_local Counter counter;

void count() {
  for (int i = 0; i < 3; i++) counter.mine++;
}
int main() {
  std::thread a(count), b(count);
  a.join();
  b.join();
  assert(total == 6);
}
