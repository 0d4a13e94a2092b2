// A thread that is neither joined nor detached ends the program when its object is destroyed.
// expect[sc,rc11]: violation=exception
// twin[sc] `if (done) t.join();` -> `t.join();`: verified complete=1
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> done{0};

int main() {
  {
    std::thread t([] { done = 1; });
    if (done) t.join();
  }
  assert(done == 1);
}
