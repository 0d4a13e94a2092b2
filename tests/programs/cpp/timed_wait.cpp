// A wait with a limit may end without what it waited for, and a timed mutex may stay taken; both are explored.
// expect[sc,rc11]: verified
// twin[sc,rc11] `if (in_time)` -> ``: violation=assertion line=21
// twin[rc11] `if (printer.try_lock_for(1ms))` -> `printer.try_lock_for(1ms);`: violation=race
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
using namespace std::chrono_literals;
std::mutex mutex;
std::condition_variable ready;
std::timed_mutex printer;
bool is_ready = false;
int pages = 0;

int main() {
  std::thread t([] {
    std::unique_lock lock(mutex);
    bool in_time = ready.wait_for(lock, 5ms, [] { return is_ready; });
    if (in_time) assert(is_ready);
    if (printer.try_lock_for(1ms)) {
      pages++;
      printer.unlock();
    }
  });
  {
    std::lock_guard lock(mutex);
    is_ready = true;
  }
  ready.notify_one();
  {
    std::lock_guard lock(printer);
    pages++;
  }
  t.join();
  assert(pages >= 1);
}
