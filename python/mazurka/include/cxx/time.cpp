// Time, for checking: a clock per thread, which stands still except when a wait with a limit ends late. Then the
// limit is over. Whether a wait ends late is up to the exploration (pthread_cond_timedwait).

#include <cerrno>
#include <chrono>
#include <condition_variable>

namespace std {
inline namespace __1 {

static thread_local chrono::nanoseconds::rep __mazurka_time;

namespace chrono {
steady_clock::time_point steady_clock::now() noexcept { return time_point(nanoseconds(__mazurka_time)); }
system_clock::time_point system_clock::now() noexcept { return time_point(duration_cast<duration>(nanoseconds(__mazurka_time))); }
system_clock::time_point system_clock::from_time_t(time_t __t) noexcept { return time_point(seconds(__t)); }
time_t system_clock::to_time_t(const time_point& __t) noexcept {
  return time_t(duration_cast<seconds>(__t.time_since_epoch()).count());
}
} // namespace chrono

void condition_variable::__do_timed_wait(
    unique_lock<mutex>& __lk, chrono::time_point<chrono::system_clock, chrono::nanoseconds> __tp) noexcept {
  ::timespec __ts = {0, 0};
  if (::pthread_cond_timedwait(&__cv_, __lk.mutex()->native_handle(), &__ts) == ETIMEDOUT &&
      __mazurka_time < __tp.time_since_epoch().count())
    __mazurka_time = __tp.time_since_epoch().count();
}

} // namespace __1
} // namespace std
