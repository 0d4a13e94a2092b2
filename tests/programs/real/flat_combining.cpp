// Flat combining: threads leave their requests in slots, and whoever gets the lock serves all of them.
// expect[sc,tso,rc11]: verified
// A request is handed to the combiner, and the result back.
// twin[rc11] `PENDING, std::memory_order_release` -> `PENDING, std::memory_order_relaxed`: violation=race lines=30,46
// twin[rc11] `state.load(std::memory_order_acquire) == PENDING` -> `state.load(std::memory_order_relaxed) == PENDING`: violation=race lines=30,46
// twin[rc11] `DONE, std::memory_order_release` -> `DONE, std::memory_order_relaxed`: violation=race lines=38,46
// twin[rc11] `state.load(std::memory_order_acquire) != DONE` -> `state.load(std::memory_order_relaxed) != DONE`: violation=race lines=38,46
// One combiner hands the structure to the next.
// twin[rc11] `locked_.exchange(true, std::memory_order_acquire)` -> `locked_.exchange(true, std::memory_order_relaxed)`: violation=race lines=58,58
// twin[rc11] `locked_.store(false, std::memory_order_release)` -> `locked_.store(false, std::memory_order_relaxed)`: violation=race lines=58,58
// A combiner that leaves without serving everybody, while they only wait.
// twin[sc,rc11] `if (!locked_.exchange(true, std::memory_order_acquire))` -> `if (self == 0)`: violation=liveness
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

template <typename T, int Threads>
class Combined {
    enum { NONE, PENDING, DONE };
    struct Slot {
        std::atomic<int> state{NONE};
        int argument, result;
    };

public:
    int apply(int self, int argument)
    {
        Slot &slot = slots_[self];
        slot.argument = argument;
        slot.state.store(PENDING, std::memory_order_release);
        while (slot.state.load(std::memory_order_acquire) != DONE) {
            if (!locked_.exchange(true, std::memory_order_acquire)) {
                serve();
                locked_.store(false, std::memory_order_release);
            }
        }
        return slot.result;
    }

private:
    void serve()
    {
        for (Slot &slot : slots_)
            if (slot.state.load(std::memory_order_acquire) == PENDING) {
                slot.result = structure_.apply(slot.argument);
                slot.state.store(DONE, std::memory_order_release);
            }
    }

    std::atomic<bool> locked_{false};
    std::array<Slot, Threads> slots_;
    T structure_; // belongs to the combiner
};

class Counter {
public:
    int apply(int amount) { return sum_ += amount; }

private:
    int sum_ = 0;
};

int main()
{
    Combined<Counter, 2> counter;
    int first = 0;
    std::thread other([&] { first = counter.apply(0, 1); });
    int second = counter.apply(1, 2);
    other.join();
    assert((first == 1 && second == 3) || (second == 2 && first == 3));
}
