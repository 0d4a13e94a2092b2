// An event count: consumers of a lock-free structure announce that they will sleep, look once more, and then sleep.
// expect[sc,tso,rc11]: verified
// The announcement comes before the second look, and the new item before the look for sleepers.
// twin[rc11] `seq_cst); // announced` -> `acq_rel); // announced`: violation=deadlock line=61
// twin[tso,rc11] `seq_cst); // produced` -> `acq_rel); // produced`: violation=deadlock line=61
// The notification came between the announcement and the sleep.
// twin[sc,rc11] `while (epoch_ == epoch)` -> ``: violation=deadlock line=61
// No second look.
// twin[sc,rc11] `if (ready()) // again` -> `if (false)`: violation=deadlock line=61
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class EventCount {
public:
    template <typename Ready>
    void await(Ready ready)
    {
        while (!ready()) {
            unsigned epoch = prepare();
            if (ready()) // again
                cancel();
            else
                sleep(epoch);
        }
    }

    void notify()
    {
        std::atomic_thread_fence(std::memory_order_seq_cst); // produced
        if (waiters_.load(std::memory_order_relaxed) == 0)
            return;
        {
            std::lock_guard<std::mutex> lock(mutex_);
            epoch_++;
        }
        changed_.notify_all();
    }

private:
    unsigned prepare()
    {
        unsigned epoch;
        {
            std::lock_guard<std::mutex> lock(mutex_);
            epoch = epoch_;
        }
        waiters_.fetch_add(1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_seq_cst); // announced
        return epoch;
    }

    void cancel() { waiters_.fetch_sub(1, std::memory_order_relaxed); }

    void sleep(unsigned epoch)
    {
        std::unique_lock<std::mutex> lock(mutex_);
        while (epoch_ == epoch)
            changed_.wait(lock);
        cancel();
    }

    std::atomic<int> waiters_{0};
    std::mutex mutex_;
    std::condition_variable changed_;
    unsigned epoch_ = 0; // guarded by mutex_
};

static EventCount events;
static std::atomic<int> items{0};

int main()
{
    std::thread consumer([] {
        events.await([] { return items.load(std::memory_order_relaxed) != 0; });
    });
    items.store(1, std::memory_order_relaxed);
    events.notify();
    consumer.join();
}
