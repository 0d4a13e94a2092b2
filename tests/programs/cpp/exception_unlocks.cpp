// A lock that is held where an exception is thrown is released before the handler runs.
// expect[sc,rc11]: verified complete=2 blocked=0
// twin[sc] `std::lock_guard<std::mutex> guard(mutex);` -> `mutex.lock();`: violation=deadlock
// twin[rc11] `std::lock_guard<std::mutex> guard(mutex);` -> ``: violation=race
// twin[sc] `catch (int number)` -> `catch (long number)`: violation=exception line=12
#include <cassert>
#include <mutex>
#include <thread>
std::mutex mutex;
int count = 0, failed = 0;
[[noreturn]] void fail(int number) {
  throw number;
}
void work() {
  try {
    std::lock_guard<std::mutex> guard(mutex);
    fail(++count);
  } catch (int number) {
    if (number == 2) failed = number;
  }
}
int main() {
  std::thread t(work);
  work();
  t.join();
  assert(count == 2 && failed == 2);
}
