// An exception that would leave a noexcept function is reported at the throw, although that has a handler for others.
// expect[sc,rc11]: violation=exception line=9
// twin[sc] `catch (int)` -> `catch (int) {} catch (...)`: verified
// twin[rc11] `x.load()` -> `0`: verified
#include <atomic>
#include <thread>
std::atomic<int> x{0}, y{0};
void fail(int seen) {
  if (seen == 1) throw 5L;
}
struct Cleaning { ~Cleaning() { y++; } };
void check(int seen) noexcept {
  try {
    Cleaning cleaning;
    fail(seen);
  } catch (int) {
    y++;
  }
}
int main() {
  std::thread t([] { x.store(1); });
  try { check(x.load()); } catch (long) {}
  t.join();
}
