// Workers with a queue of jobs each: an idle one steals from the other, and both stop when no job is pending.
// expect[sc,tso,rc11]: verified
// Who sees that nothing is pending sees what the jobs have done.
// twin[rc11] `pending_.fetch_sub(1, std::memory_order_release)` -> `pending_.fetch_sub(1, std::memory_order_relaxed)`: violation=race lines=67,71
// twin[rc11] `pending_.load(std::memory_order_acquire)` -> `pending_.load(std::memory_order_relaxed)`: violation=race lines=67,71
// A thief that takes from a queue without its lock.
// twin[rc11] `std::lock_guard<std::mutex> lock(queue.mutex); // take` -> ``: violation=race
// A job that is not counted: its worker may stop too early.
// twin[sc,rc11] `pending_.fetch_add(1, std::memory_order_relaxed);` -> ``: violation=assertion
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class Scheduler {
public:
    using Job = void (*)(Scheduler &scheduler, int worker);

    void spawn(int worker, Job job)
    {
        pending_.fetch_add(1, std::memory_order_relaxed);
        Queue &queue = queues_[worker];
        std::lock_guard<std::mutex> lock(queue.mutex);
        queue.jobs[queue.count++] = job;
    }

    void work(int worker)
    {
        while (pending_.load(std::memory_order_acquire) > 0) {
            Job job = take(worker);
            if (!job)
                job = take(1 - worker);
            if (job) {
                job(*this, worker);
                pending_.fetch_sub(1, std::memory_order_release);
            }
        }
    }

private:
    struct Queue {
        std::mutex mutex;
        std::array<Job, 2> jobs; // guarded by mutex
        std::atomic<int> count{0}; // changed under mutex
    };

    Job take(int worker)
    {
        Queue &queue = queues_[worker];
        if (queue.count.load(std::memory_order_relaxed) == 0)
            return nullptr; // without asking for the lock
        std::lock_guard<std::mutex> lock(queue.mutex); // take
        return queue.count > 0 ? queue.jobs[--queue.count] : nullptr;
    }

    std::atomic<int> pending_{0};
    std::array<Queue, 2> queues_;
};

static int result;

int main()
{
    Scheduler scheduler;
    scheduler.spawn(0, [](Scheduler &scheduler, int worker) {
        scheduler.spawn(worker, [](Scheduler &, int) { result = 5; });
    });
    std::thread other([&] { scheduler.work(1); });
    scheduler.work(0);
    assert(result == 5);
    other.join();
}
