// Readers share a std::shared_mutex, the writer has it alone. The twin writes as a reader.
// expect[sc,rc11]: verified
// twin[rc11] `std::unique_lock lock(mutex);` -> `std::shared_lock lock(mutex);`: violation=race
// twin[sc] `x = 1;` -> `mutex.unlock(); mutex.lock(); x = 1;`: violation=assertion
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>
std::shared_mutex mutex;
int x = 0, y = 0;

void write() {
  std::unique_lock lock(mutex);
  y = 1;
  x = 1;
}
void read() {
  std::shared_lock lock(mutex);
  assert(x == y);
}
int main() {
  std::thread a(read), w(write);
  read();
  a.join();
  w.join();
}
