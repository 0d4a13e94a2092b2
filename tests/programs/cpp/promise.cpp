// A promise hands over a value, and whatever happened before; a promise that is forgotten breaks the future.
// expect[sc,rc11]: verified
// twin[sc] `promise.set_value(42);` -> `{ auto gone = std::move(promise); }`: violation=exception
// twin[rc11] `int answer = future.get();` -> `int answer = 42;`: violation=race
#include <cassert>
#include <future>
#include <thread>
int steps = 0;

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread t([&] {
    steps = 3;
    promise.set_value(42);
  });
  int answer = future.get();
  assert(answer == 42 && steps == 3);
  t.join();
}
