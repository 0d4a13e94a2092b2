// The containers of the standard library under a mutex, filled by two threads.
// expect[sc,rc11]: verified complete=2
// twin[rc11] `std::lock_guard lock(mutex);` -> ``: violation=race
// twin[sc] `std::size_t{2}` -> `std::size_t{3}`: violation=assertion line=26
#include <cassert>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <vector>
std::mutex mutex;
std::vector<int> numbers;
std::map<int, int> squares;
std::deque<int> order;

void add(int number) {
  std::lock_guard lock(mutex);
  numbers.push_back(number);
  squares[number] = number * number;
  order.push_front(number);
}
int main() {
  std::thread t(add, 1);
  add(2);
  t.join();
  assert(numbers.size() == std::size_t{2} && numbers[0] + numbers[1] == 3);
  assert(squares.size() == 2 && squares[1] == 1 && squares[2] == 4);
  assert(order.front() == numbers.back() && order.back() == numbers.front());
}
