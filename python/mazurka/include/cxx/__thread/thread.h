// std::thread for checking, in place of libc++'s. It passes a small callable in the argument of pthread_create:
// threads that run the same callable are then exchangeable, and nothing is allocated for them. libc++ allocates
// the callable, and data for actions at the end of the thread, which are not supported here.

#ifndef _LIBCPP___THREAD_THREAD_H
#define _LIBCPP___THREAD_THREAD_H

#include <__config>
#include <__exception/terminate.h>
#include <__functional/hash.h>
#include <__functional/unary_function.h>
#include <__memory/unique_ptr.h>
#include <__system_error/throw_system_error.h>
#include <__thread/id.h>
#include <__thread/support.h>
#include <__type_traits/decay.h>
#include <__type_traits/enable_if.h>
#include <__type_traits/invoke.h>
#include <__type_traits/is_same.h>
#include <__type_traits/is_trivially_copyable.h>
#include <__type_traits/remove_cvref.h>
#include <__utility/forward.h>
#include <__utility/integer_sequence.h>
#include <__utility/move.h>
#include <tuple>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

class __assoc_sub_state;
class condition_variable;
class mutex;

// What happens at the end of a thread: declared for futures and condition variables, and defined nowhere.
struct __thread_struct {
  void __make_ready_at_thread_exit(__assoc_sub_state*);
  void notify_all_at_thread_exit(condition_variable*, mutex*);
};
template <class _Tp>
struct __thread_specific_ptr {
  _Tp* get() const;
  _Tp* operator->() const;
  void set_pointer(_Tp*);
};
__thread_specific_ptr<__thread_struct>& __thread_local_data();

template <>
struct hash<__thread_id> : public __unary_function<__thread_id, size_t> {
  size_t operator()(__thread_id __v) const noexcept { return hash<__libcpp_thread_id>()(__v.__id_); }
};

class thread {
  __libcpp_thread_t __t_;

  template <class _Tuple, size_t... _Indices>
  static void __run(_Tuple& __all, __index_sequence<_Indices...>) {
    std::__invoke(std::move(std::get<_Indices>(__all))...);
  }

  template <class _Tuple>
  static void* __run_allocated(void* __data) {
    unique_ptr<_Tuple> __all(static_cast<_Tuple*>(__data));
    __run(*__all, __make_index_sequence<tuple_size<_Tuple>::value>());
    return nullptr;
  }

  template <class _Fp>
  static void* __run_small(void* __data) {
    if constexpr (sizeof(_Fp) == sizeof(void*)) {
      __builtin_bit_cast(_Fp, __data)();
    } else {
      alignas(_Fp) char __room[sizeof(void*)];
      __builtin_memcpy(__room, &__data, sizeof(void*));
      (*reinterpret_cast<_Fp*>(__room))();
    }
    return nullptr;
  }

  void __start(void* (*__function)(void*), void* __data) {
    int __error = ::pthread_create(&__t_, nullptr, __function, __data);
    if (__error)
      std::__throw_system_error(__error, "thread constructor failed");
  }

public:
  typedef __thread_id id;
  typedef __libcpp_thread_t native_handle_type;

  thread() noexcept : __t_(0) {}
  thread(const thread&) = delete;
  thread(thread&& __other) noexcept : __t_(__other.__t_) { __other.__t_ = 0; }

  template <class _Fp, class... _Args, __enable_if_t<!is_same<__remove_cvref_t<_Fp>, thread>::value, int> = 0>
  explicit thread(_Fp&& __f, _Args&&... __args) {
    using _Function = __decay_t<_Fp>;
    static_assert(__is_invocable_v<_Function, __decay_t<_Args>...>, "the thread cannot call this with these arguments");
    if constexpr (sizeof...(_Args) == 0 && sizeof(_Function) <= sizeof(void*) && is_trivially_copyable<_Function>::value) {
      if constexpr (sizeof(_Function) == sizeof(void*)) {
        __start(&__run_small<_Function>, __builtin_bit_cast(void*, static_cast<_Function>(__f)));
      } else if constexpr (__is_empty(_Function)) {
        __start(&__run_small<_Function>, nullptr);
      } else {
        _Function __copy = __f;
        void* __data = nullptr;
        __builtin_memcpy(&__data, &__copy, sizeof(_Function));
        __start(&__run_small<_Function>, __data);
      }
    } else {
      using _All = tuple<_Function, __decay_t<_Args>...>;
      __start(&__run_allocated<_All>, new _All(std::forward<_Fp>(__f), std::forward<_Args>(__args)...));
    }
  }

  ~thread() {
    if (__t_)
      std::terminate();
  }

  thread& operator=(const thread&) = delete;
  thread& operator=(thread&& __other) noexcept {
    if (__t_)
      std::terminate();
    __t_ = __other.__t_;
    __other.__t_ = 0;
    return *this;
  }

  void swap(thread& __other) noexcept {
    __libcpp_thread_t __mine = __t_;
    __t_ = __other.__t_;
    __other.__t_ = __mine;
  }

  [[__nodiscard__]] bool joinable() const noexcept { return __t_ != 0; }

  void join() {
    if (!__t_)
      std::__throw_system_error(22, "thread::join failed");
    ::pthread_join(__t_, nullptr);
    __t_ = 0;
  }

  void detach() {
    if (!__t_)
      std::__throw_system_error(22, "thread::detach failed");
    ::pthread_detach(__t_);
    __t_ = 0;
  }

  [[__nodiscard__]] id get_id() const noexcept { return __libcpp_thread_get_id(&__t_); }
  [[__nodiscard__]] native_handle_type native_handle() noexcept { return __t_; }
  [[__nodiscard__]] static unsigned hardware_concurrency() noexcept { return 2; }
};

// Prints the number of a thread.
template <class _CharT, class _Traits>
basic_ostream<_CharT, _Traits>& operator<<(basic_ostream<_CharT, _Traits>& __os, __thread_id __id) {
  return __os << __get_underlying_id(__id);
}

inline void swap(thread& __x, thread& __y) noexcept { __x.swap(__y); }

_LIBCPP_END_NAMESPACE_STD

#endif
