// A cell in which a task leaves its waker before it sleeps; registering and waking may happen at the same time.
// expect[sc,tso,rc11]: verified
// The waker itself is handed over by the state.
// twin[rc11] `IDLE, std::memory_order_acq_rel` -> `IDLE, std::memory_order_acquire`: violation=race lines=39,51
// twin[rc11] `WAKING, std::memory_order_acq_rel` -> `WAKING, std::memory_order_release`: violation=race lines=39,51
// Who is woken has to see why.
// twin[rc11] `WAKING, std::memory_order_acq_rel` -> `WAKING, std::memory_order_acquire`: violation=assertion line=76
// A wake-up that is over before the registration has read the cell, and its reason is seen by the look that follows.
// twin[rc11] `REGISTERING, std::memory_order_acquire` -> `REGISTERING, std::memory_order_relaxed`: violation=race lines=39,51
// twin[rc11] `~WAKING, std::memory_order_release` -> `~WAKING, std::memory_order_relaxed`: violation=race lines=39,51
// No look after the registration.
// twin[sc,tso,rc11] `if (!ready.load(std::memory_order_relaxed))` -> `if (true)`: violation=liveness line=74
#include <atomic>
#include <cassert>
#include <thread>

class Waker {
public:
    explicit Waker(std::atomic<bool> *woken = nullptr) : woken_(woken) {}
    void wake() const
    {
        if (woken_)
            woken_->store(true, std::memory_order_release);
    }

private:
    std::atomic<bool> *woken_;
};

class WakerCell {
public:
    void set(const Waker &waker)
    {
        unsigned state = IDLE;
        if (!state_.compare_exchange_strong(state, REGISTERING, std::memory_order_acquire, std::memory_order_acquire)) {
            waker.wake(); // somebody is waking just now
            return;
        }
        waker_ = waker;
        state = REGISTERING;
        if (!state_.compare_exchange_strong(state, IDLE, std::memory_order_acq_rel, std::memory_order_acquire)) {
            state_.store(IDLE, std::memory_order_relaxed);
            waker.wake(); // in their place
        }
    }

    void wake()
    {
        if (state_.fetch_or(WAKING, std::memory_order_acq_rel) != IDLE)
            return; // who registers takes care
        Waker waker = waker_;
        state_.fetch_and(~WAKING, std::memory_order_release);
        waker.wake();
    }

private:
    enum : unsigned { IDLE = 0, REGISTERING = 1, WAKING = 2 };
    std::atomic<unsigned> state_{IDLE};
    Waker waker_;
};

static WakerCell cell;
static std::atomic<bool> ready{false};

int main()
{
    std::thread producer([] {
        ready.store(true, std::memory_order_relaxed);
        cell.wake();
    });
    std::atomic<bool> woken{false};
    cell.set(Waker(&woken));
    if (!ready.load(std::memory_order_relaxed)) {
        while (!woken.load(std::memory_order_acquire))
            ;
        assert(ready.load(std::memory_order_relaxed));
    }
    producer.join();
}
