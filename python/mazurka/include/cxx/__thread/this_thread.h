// std::this_thread for checking: sleeping and yielding do nothing, because any thread may run at any time.

#ifndef _LIBCPP___THREAD_THIS_THREAD_H
#define _LIBCPP___THREAD_THIS_THREAD_H

#include <__chrono/duration.h>
#include <__chrono/time_point.h>
#include <__config>
#include <__thread/id.h>
#include <__thread/support.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

namespace this_thread {

template <class _Rep, class _Period>
void sleep_for(const chrono::duration<_Rep, _Period>&) {}

template <class _Clock, class _Duration>
void sleep_until(const chrono::time_point<_Clock, _Duration>&) {}

inline void yield() noexcept {}

} // namespace this_thread

_LIBCPP_END_NAMESPACE_STD

#endif
