// Exceptions pass through qsort and bsearch. pthread_once lets none pass: it ends the run where it is thrown.
// expect[sc,rc11]: verified complete=1 blocked=0
// twin[sc] `catch (const char *)` -> `catch (char *)`: violation=exception line=10
// twin[rc11] `number < 0` -> `number >= 0`: violation=exception line=14
#include <cassert>
#include <cstdlib>
#include <pthread.h>

int compare(const void *one, const void *two) {
  if (*(const int *)one == 0 || *(const int *)two == 0) throw "zero";
  return *(const int *)one - *(const int *)two;
}
int number = 0;
void once() { if (number < 0) throw 1; }

int sorted(int first) {
  int numbers[] = {first, 3, 2};
  pthread_once_t control = PTHREAD_ONCE_INIT;
  pthread_once(&control, once);
  qsort(numbers, 3, sizeof(int), compare);
  if (numbers[0] > 2) throw 2;
  int key = numbers[2];
  return bsearch(&key, numbers, 3, sizeof(int), compare) == &numbers[2];
}
int main() {
  int got = 0;
  try {
    got = sorted(1);
    got += sorted(0);
    got = 5;
  } catch (const char *) {
    got += 2;
  } catch (int) {}
  assert(got == 3);
}
