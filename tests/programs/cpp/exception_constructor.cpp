// A constructor that is not inline throws: its members are destroyed, and the object counts as never made.
// expect[sc,rc11]: verified complete=2 blocked=0
// twin[sc] `Whole whole(limit);` -> `new Whole(limit);`: violation=assertion line=33
// twin[rc11] `catch (int refused)` -> `catch (long refused)`: violation=exception line=19
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> x{0};
int members = 0, wholes = 0;
struct Member {
  Member() { members++; }
  ~Member() { members--; }
};
struct Whole {
  Member member;
  Whole(int limit);
  ~Whole() { wholes++; }
};
Whole::Whole(int limit) { if (x.load() < limit) throw limit; }
int make(int limit) {
  Whole whole(limit);
  if (limit > 1) throw limit + 1;
  return members;
}
int main() {
  std::thread t([] { x.store(1); });
  int made = 0;
  try {
    made = make(1);
  } catch (int refused) {
    made = -refused;
  }
  assert(members == 0 && wholes == (made == 1));
  t.join();
}
