// A reference to an element is kept while the vector grows: it points to memory that is gone.
// expect[sc,rc11]: violation=freed line=15
// twin[sc,rc11] `numbers.push_back(2);` -> ``: violation=assertion line=16
#include <cassert>
#include <thread>
#include <vector>

int main() {
  std::vector<int> numbers;
  numbers.push_back(1);
  int &first = numbers.front();
  std::thread t([&] { numbers.push_back(2); });
  t.join();
  int seen = 0;
  seen = first;
  assert(seen == 2);
}
