// Functions of time.h and sys/time.h that ask for the time. All clocks stand still at the same time, which is not 0,
// because programs take 0 for a time that was never set. Whether a wait with a limit ends late does not depend on it.
#include <sys/time.h>
#include <time.h>

#define NOW 1000000 // seconds

int clock_gettime(clockid_t clock, struct timespec *now) {
  now->tv_sec = NOW;
  now->tv_nsec = 0;
  return 0;
}

int clock_getres(clockid_t clock, struct timespec *resolution) {
  if (resolution) {
    resolution->tv_sec = 0;
    resolution->tv_nsec = 1;
  }
  return 0;
}

int timespec_get(struct timespec *now, int base) {
  if (base != TIME_UTC)
    return 0;
  now->tv_sec = NOW;
  now->tv_nsec = 0;
  return base;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  now->tv_sec = NOW;
  now->tv_usec = 0;
  return 0;
}

double difftime(time_t end, time_t start) { return (double)(end - start); }
