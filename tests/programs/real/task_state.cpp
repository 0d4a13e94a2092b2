// The header of an asynchronous task: whoever wakes an idle task runs it, and a wake-up during a run makes it run again.
// expect[sc,tso,rc11]: verified
// A wake-up hands its event to the next run, also if it does not start that run itself.
// twin[rc11] `(SCHEDULED, std::memory_order_release` -> `(SCHEDULED, std::memory_order_relaxed`: violation=assertion line=68
// One run hands the task to the next.
// twin[rc11] `~SCHEDULED, std::memory_order_acquire` -> `~SCHEDULED, std::memory_order_relaxed`: violation=race lines=53,53
// twin[rc11] `IDLE, std::memory_order_release` -> `IDLE, std::memory_order_relaxed`: violation=race lines=53,53
// A wake-up during the run is overwritten.
// twin[sc,tso,rc11] `!become_idle()` -> `(state_.store(IDLE, std::memory_order_release), false)`: violation=assertion line=68
// A running task is run by a second thread.
// twin[rc11] `before == IDLE` -> `!(before & SCHEDULED)`: violation=race lines=53,53
#include <atomic>
#include <cassert>
#include <thread>

class Task {
public:
    void post()
    {
        events_.fetch_add(1, std::memory_order_relaxed);
        wake();
    }

    int seen() const { return seen_; }

private:
    enum : unsigned { IDLE = 0, SCHEDULED = 1, RUNNING = 2 };

    void wake()
    {
        unsigned before = state_.fetch_or(SCHEDULED, std::memory_order_release);
        if (before == IDLE)
            run();
    }

    void run()
    {
        state_.fetch_or(RUNNING, std::memory_order_relaxed);
        do {
            state_.fetch_and(~SCHEDULED, std::memory_order_acquire); // what is posted from now on runs later
            poll();
        } while (!become_idle());
    }

    bool become_idle()
    {
        unsigned running = RUNNING;
        return state_.compare_exchange_strong(running, IDLE, std::memory_order_release, std::memory_order_relaxed);
    }

    void poll()
    {
        seen_ = events_.load(std::memory_order_relaxed);
    }

    std::atomic<unsigned> state_{IDLE};
    std::atomic<int> events_{0};
    int seen_ = 0; // belongs to the thread that runs the task
};

int main()
{
    Task task;
    std::thread first([&] { task.post(); });
    std::thread second([&] { task.post(); });
    first.join();
    second.join();
    assert(task.seen() == 2);
}
