// An exception of an asynchronous call arrives with its future; the other call is not affected.
// expect[sc,rc11]: verified
// twin[sc] `left.get() + right.get()` -> `left.get()`: violation=assertion line=24
// twin[sc] `const std::invalid_argument &` -> `const std::domain_error &`: violation=exception
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int half(int n) {
  if (n % 2) throw std::invalid_argument("odd");
  return n / 2;
}
int main() {
  auto left = std::async(std::launch::async, half, 10);
  auto right = std::async(std::launch::async, half, 11);
  int sum = 0;
  try {
    sum = left.get() + right.get();
    sum = 100;
  } catch (const std::invalid_argument &) {
    sum = -1;
  }
  assert(sum == -1);
}
