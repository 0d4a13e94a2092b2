// The algorithm below std::barrier: a counter of arrivals. libc++'s is a tree whose leaves depend on the numbers of
// threads; it allows the same, in more steps.

#include <barrier>

namespace std {
inline namespace __1 {

class __barrier_algorithm_base {
public:
  explicit __barrier_algorithm_base(ptrdiff_t& __expected) : __expected_(__expected) {}
  ptrdiff_t& __expected_;  // changes between two phases only
  atomic<ptrdiff_t> __arrived_{0};
};

__barrier_algorithm_base* __construct_barrier_algorithm_base(ptrdiff_t& __expected) {
  return new __barrier_algorithm_base(__expected);
}

// Returns whether the caller is the last one of the phase, who then begins the next.
bool __arrive_barrier_algorithm_base(
    [[__gnu__::__nonnull__]] _LIBCPP_NOESCAPE __barrier_algorithm_base* __barrier, __barrier_phase_t) noexcept {
  const ptrdiff_t __expected = __barrier->__expected_;
  if (__barrier->__arrived_.fetch_add(1, memory_order_acq_rel) + 1 != __expected)
    return false;
  __barrier->__arrived_.store(0, memory_order_relaxed);
  return true;
}

void __destroy_barrier_algorithm_base(
    [[__gnu__::__nonnull__]] _LIBCPP_NOESCAPE __barrier_algorithm_base* __barrier) noexcept {
  delete __barrier;
}

} // namespace __1
} // namespace std
