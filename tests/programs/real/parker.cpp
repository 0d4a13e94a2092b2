// A parker: one token, which unpark leaves and park takes, sleeping on a condition variable until it is there.
// expect[sc,tso,rc11]: verified
// The token hands over what was done before it.
// twin[rc11] `NOTIFIED, std::memory_order_release` -> `NOTIFIED, std::memory_order_relaxed`: violation=race lines=67,71
// twin[rc11] `EMPTY, std::memory_order_acquire, std::memory_order_relaxed); // fast` -> `EMPTY, std::memory_order_relaxed, std::memory_order_relaxed); // fast`: violation=race lines=67,71
// The one who sleeps is between its announcement and the wait.
// twin[sc,rc11] `{ std::lock_guard<std::mutex> lock(mutex_); }` -> ``: violation=deadlock line=30
// The token came before the announcement.
// twin[sc,rc11] `if (!announce())` -> `if (state_.exchange(PARKED), false)`: violation=deadlock line=30
// An unpark that thinks that nobody sleeps.
// twin[sc,rc11] `== PARKED)` -> `== EMPTY)`: violation=deadlock line=30
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Parker {
public:
    void park()
    {
        if (take_token())
            return;
        std::unique_lock<std::mutex> lock(mutex_);
        if (!announce()) {
            state_.exchange(EMPTY, std::memory_order_acquire);
            return;
        }
        do
            wakeup_.wait(lock);
        while (!take_token());
    }

    void unpark()
    {
        if (state_.exchange(NOTIFIED, std::memory_order_release) == PARKED) {
            { std::lock_guard<std::mutex> lock(mutex_); } // until it waits
            wakeup_.notify_one();
        }
    }

private:
    enum { EMPTY, PARKED, NOTIFIED };

    bool take_token()
    {
        int token = NOTIFIED;
        return state_.compare_exchange_strong(token, EMPTY, std::memory_order_acquire, std::memory_order_relaxed); // fast
    }

    bool announce()
    {
        int empty = EMPTY;
        return state_.compare_exchange_strong(empty, PARKED, std::memory_order_relaxed, std::memory_order_relaxed);
    }

    std::atomic<int> state_{EMPTY};
    std::mutex mutex_;
    std::condition_variable wakeup_;
};

int main()
{
    Parker parker;
    int message = 0;
    std::thread sender([&] {
        message = 1;
        parker.unpark();
    });
    parker.park();
    assert(message == 1);
    sender.join();
}
