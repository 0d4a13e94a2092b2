// A packaged task moves into its thread; a task that is dropped breaks its promise.
// expect[sc,rc11]: verified complete=1
// twin[sc] `task(4);` -> ``: violation=exception
#include <cassert>
#include <future>
#include <thread>
#include <utility>

int main() {
  std::packaged_task<int(int)> square([](int n) { return n * n; });
  std::future<int> result = square.get_future();
  std::thread worker([](std::packaged_task<int(int)> task) {
    task(4);
  }, std::move(square));
  worker.join();
  assert(result.get() == 16);
}
