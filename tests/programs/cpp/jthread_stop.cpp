// A jthread is told to stop, and joined, by its destructor; what it did before is then visible.
// expect[sc,rc11]: verified
// twin[rc11] `while (!stop.stop_requested())` -> `while (!never)`: violation=liveness
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int rounds = 0;
std::atomic<bool> never{false};

int main() {
  {
    std::jthread worker([](std::stop_token stop) {
      while (!stop.stop_requested()) {
      }
      rounds = 1;
    });
  }
  assert(rounds == 1);
}
