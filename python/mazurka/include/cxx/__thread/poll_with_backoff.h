// How libc++ waits, for checking: a loop without a pause. Wait loops are not explored round by round, and pauses
// would only hide them. A wait with a time limit may end at any time: it looks once, and that is all.

#ifndef _LIBCPP___THREAD_POLL_WITH_BACKOFF_H
#define _LIBCPP___THREAD_POLL_WITH_BACKOFF_H

#include <__chrono/duration.h>
#include <__config>

#pragma GCC system_header

extern "C" bool __VERIFIER_nondet_bool(void);

_LIBCPP_BEGIN_NAMESPACE_STD

enum class __backoff_results : unsigned char { __continue_poll = 1, __poll_success = 2, __timeout = 3, __backoff_failure = 4 };
enum class __poll_with_backoff_results : unsigned char { __poll_success = 2, __timeout = 3, __backoff_failure = 4 };

template <class _Poll, class _Backoff>
__poll_with_backoff_results
__libcpp_thread_poll_with_backoff(
    _Poll&& __poll, _Backoff&&, chrono::nanoseconds __limit = chrono::nanoseconds::zero()) {
  if (__limit != chrono::nanoseconds::zero() && __VERIFIER_nondet_bool())
    return __poll() ? __poll_with_backoff_results::__poll_success : __poll_with_backoff_results::__timeout;
  while (!__poll()) {
  }
  return __poll_with_backoff_results::__poll_success;
}

#if _LIBCPP_STD_VER >= 20
// What wait on an atomic compares. libc++ compares bytes, which keeps the values in memory, as bytes; of these types,
// values are equal if and only if their bytes are.
template <class _Tp>
  requires(__is_integral(_Tp) || __is_enum(_Tp) || __is_pointer(_Tp))
bool __cxx_nonatomic_compare_equal(_Tp const& __lhs, _Tp const& __rhs) {
  return __lhs == __rhs;
}
#endif

struct __spinning_backoff_policy {
  constexpr __backoff_results operator()(const chrono::nanoseconds&) const { return __backoff_results::__continue_poll; }
};

_LIBCPP_END_NAMESPACE_STD

#endif
