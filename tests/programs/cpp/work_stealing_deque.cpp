// Chase and Lev's deque with the fences of the weak-memory version: the owner and a thief never both take the last task.
// expect[sc,tso,rc11]: verified
// twin[tso,rc11] `std::atomic_thread_fence(std::memory_order_seq_cst)` -> `std::atomic_thread_fence(std::memory_order_acq_rel)`: violation=assertion line=66
// twin[sc] `bottom.store(end, std::memory_order_relaxed);` -> ``: violation=assertion line=66
#include <atomic>
#include <cassert>
#include <thread>

template <class T, int N>
class Deque {
  std::atomic<int> top{0}, bottom{0};
  std::atomic<T> tasks[N];

public:
  void push(T task) {
    int end = bottom.load(std::memory_order_relaxed);
    tasks[end % N].store(task, std::memory_order_relaxed);
    bottom.store(end + 1, std::memory_order_release);
  }
  bool take(T &task) {
    int end = bottom.load(std::memory_order_relaxed) - 1;
    bottom.store(end, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    int first = top.load(std::memory_order_relaxed);
    bool got = first <= end;
    if (got) {
      task = tasks[end % N].load(std::memory_order_relaxed);
      if (first != end) return true;
      got = top.compare_exchange_strong(first, first + 1, std::memory_order_seq_cst, std::memory_order_relaxed);
    }
    bottom.store(end + 1, std::memory_order_relaxed);
    return got;
  }
  bool steal(T &task) {
    int first = top.load(std::memory_order_acquire);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    int end = bottom.load(std::memory_order_acquire);
    if (first >= end) return false;
    task = tasks[first % N].load(std::memory_order_relaxed);
    return top.compare_exchange_strong(first, first + 1, std::memory_order_seq_cst, std::memory_order_relaxed);
  }
};

Deque<int, 4> deque;
std::atomic<int> done[2];

void run(int task) { done[task].fetch_add(1, std::memory_order_relaxed); }

void thief() {
  int task;
  if (deque.steal(task)) run(task);
  if (deque.steal(task)) run(task);
}

int main() {
  deque.push(0);
  deque.push(1);
  std::thread t(thief);
  int task;
  if (deque.take(task)) run(task);
  if (deque.take(task)) run(task);
  t.join();
  // Each task is done once, by whomever.
  for (auto &count : done) {
    int times = count.load();
    assert(times == 1);
  }
}
