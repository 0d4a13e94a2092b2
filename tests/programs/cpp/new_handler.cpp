// A new_handler gives memory back where there is no room. After that, new throws.
// mazurka: --malloc-may-fail
// expect[sc,rc11]: verified
// twin[rc11] `std::set_new_handler(nullptr)` -> `std::set_new_handler(give_back)`: violation=double-free line=14
// twin[sc] `released >= failed` -> `released == failed`: violation=assertion line=26
#include <cassert>
#include <cstdlib>
#include <exception>
#include <new>
#include <thread>
char *reserve = nullptr;
int released = 0;
void give_back() {
  delete[] reserve;
  released++;
  std::set_new_handler(nullptr);
}
int main() {
  auto before = std::set_terminate([] { std::abort(); });
  assert(std::get_terminate() != before && std::get_new_handler() == nullptr);
  reserve = new char[16];
  std::set_new_handler(give_back);
  int failed = 0;
  std::thread t([&] { try { delete new int(5); } catch (const std::bad_alloc &) { failed++; } });
  t.join();
  assert(released >= failed);
}
