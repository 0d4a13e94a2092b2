// One place in a buffer: a semaphore counts what is free, another what is there.
// expect[sc,rc11]: verified complete=1
// twin[rc11] `empty.acquire();` -> ``: violation=race
// twin[sc] `full{0}` -> `full{1}`: violation=assertion
#include <cassert>
#include <semaphore>
#include <thread>
std::binary_semaphore empty{1};
std::counting_semaphore<2> full{0};
int place = 0;

int main() {
  std::thread producer([] {
    for (int i = 1; i <= 2; i++) {
      empty.acquire();
      place = i;
      full.release();
    }
  });
  for (int i = 1; i <= 2; i++) {
    full.acquire();
    assert(place == i);
    empty.release();
  }
  producer.join();
}
