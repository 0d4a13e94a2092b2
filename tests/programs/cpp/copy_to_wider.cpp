// A small local is copied into a wider one, in functions in which something may be read unset. libc++'s emplace_back
// is such a function when it makes threads of small callables.
// expect[rc11]: verified
// twin[rc11] `pack(&pair, true)` -> `pack(&pair, false)`: violation=uninitialized line=18
// twin[rc11] `[i] { total += i; }` -> `[i] { plain += i; }`: violation=race
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>
struct small { int n; };

static long pack(const small *from, bool also) {
  long word = 0;
  small copy = *from;
  __builtin_memcpy(&word, &copy, sizeof copy);
  int more;
  if (also) more = 1;
  return word + more;
}

static std::atomic<int> total;
static int plain;

int main() {
  small pair = {5};
  assert(pack(&pair, true) == 6);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; i++) threads.emplace_back([i] { total += i; });
  for (auto &thread : threads) thread.join();
  assert(total == 1 && plain == 0);
}
