// Static objects are made before main, in order, and destroyed after it, in reverse; a thread must not outlive them.
// expect[sc,rc11]: verified complete=1
// twin[sc] `Logger logger;` -> `static Logger &logger = *new Logger;`: violation=assertion line=27
// twin[sc] `worker.join();` -> `worker.detach();`: violation=assertion line=27
#include <cassert>
#include <cstdlib>
#include <thread>
#include <utility>

int lines = 0, closed = 0;
struct Logger {
  int *buffer;
  Logger() : buffer(new int(lines)) {}
  void write(int n) { *buffer = n; }
  ~Logger() {
    lines = *buffer;
    closed++;
  }
};
struct Last {
  ~Last() {
    check();
  }
  static void check() {
    int seen = lines;
    // It was made first, so everything else is gone.
    assert(closed == 1 && seen == 5);
  }
};
Last last;
Logger logger;

int main() {
  std::thread worker([] { logger.write(5); });
  worker.join();
}
