// If a static variable's initialisation throws, the next call tries again; then it is initialised once.
// expect[sc,rc11]: verified
// twin[rc11] `static int value` -> `int value`: violation=assertion line=26
// twin[sc] `if (attempts == 1)` -> `if (attempts == 3)`: violation=assertion line=26
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> tries{0};
struct Failed {};
int attempt() {
  int attempts = tries.fetch_add(1) + 1;
  if (attempts == 1) throw Failed();
  return attempts;
}
int value_of() {
  static int value = attempt();
  return value;
}
int read() {
  try { return value_of(); } catch (const Failed &) { return value_of(); }
}
int main() {
  std::thread t([] { read(); });
  int got = read();
  t.join();
  assert(got == 2 && tries == 2);
}
