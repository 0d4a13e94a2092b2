// condition_variable_any waits with any lock, here that of a reader.
// expect[sc,rc11]: verified
// twin[sc] `changed.notify_all();` -> ``: violation=deadlock
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>
std::shared_mutex mutex;
std::condition_variable_any changed;
int version = 0;

int main() {
  std::thread reader([] {
    std::shared_lock lock(mutex);
    changed.wait(lock, [] { return version == 1; });
  });
  {
    std::lock_guard lock(mutex);
    version = 1;
  }
  changed.notify_all();
  reader.join();
}
