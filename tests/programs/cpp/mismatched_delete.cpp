// Memory is freed by the counterpart of what allocated it: arrays, objects, and what C allocates.
// expect[sc,tso,rc11]: verified complete=1
// twin[rc11] `delete[] samples.load()` -> `delete samples.load()`: violation=invalid-free line=31
// twin[rc11] `delete total;` -> `delete[] total;`: violation=invalid-free line=32
// twin[rc11] `delete total;` -> `std::free(total);`: violation=invalid-free line=32
// twin[rc11] `std::free(name);` -> `delete name;`: violation=invalid-free line=33
// twin[rc11] `std::free(name);` -> `delete[] name;`: violation=invalid-free line=33
// twin[sc] `delete[] scratch;` -> `delete scratch;`: violation=invalid-free line=24
// twin[sc] `= new int(0)` -> `= new (std::nothrow) int(0)`: verified complete=1
#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

std::atomic<int *> samples{nullptr};

int main() {
  int *total = new int(0);
  char *name = static_cast<char *>(std::malloc(8));
  std::thread writer([total] {
    int *scratch = new int[2]{1, 2};
    int *made = new int[2];
    made[0] = scratch[0], made[1] = scratch[1];
    delete[] scratch;
    *total = made[0] + made[1];
    samples.store(made);
  });
  writer.join();
  name[0] = '\0';
  delete static_cast<int *>(nullptr);
  delete[] samples.load();
  delete total;
  std::free(name);
}
