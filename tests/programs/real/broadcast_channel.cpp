// A broadcast channel: each subscriber reads every slot of a ring by itself, and one that is too slow is told what it missed.
// expect[sc,tso,rc11]: verified
// A slot says which message it has, before and after the message is copied.
// twin[rc11] `2 * position + 2, std::memory_order_release` -> `2 * position + 2, std::memory_order_relaxed`: violation=assertion line=65
// twin[rc11] `slot.version.load(std::memory_order_acquire)` -> `slot.version.load(std::memory_order_relaxed)`: violation=assertion line=65
// twin[rc11] `std::memory_order_release); // began` -> `std::memory_order_relaxed); // began`: violation=assertion line=65
// twin[rc11] `std::memory_order_acquire); // copied` -> `std::memory_order_relaxed); // copied`: violation=assertion line=65
// A copy that is not checked.
// twin[sc,tso,rc11] `slot.version.load(std::memory_order_relaxed) != version` -> `false`: violation=assertion line=65
#include <array>
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>
#include <utility>

struct Quote {
    int bid, ask;
};

template <unsigned Capacity>
class Broadcast {
    struct Slot {
        std::atomic<unsigned> version{0}; // twice the position, one more while it is written, two more then
        std::atomic<int> bid{0}, ask{0};
    };

public:
    void send(Quote quote)
    {
        unsigned position = next_++;
        Slot &slot = slots_[position % Capacity];
        slot.version.store(2 * position + 1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release); // began
        slot.bid.store(quote.bid, std::memory_order_relaxed);
        slot.ask.store(quote.ask, std::memory_order_relaxed);
        slot.version.store(2 * position + 2, std::memory_order_release);
    }

    // The message, unless it is not there yet or was overwritten.
    std::optional<Quote> read(unsigned position) const
    {
        const Slot &slot = slots_[position % Capacity];
        unsigned version = slot.version.load(std::memory_order_acquire);
        if (version != 2 * position + 2)
            return std::nullopt;
        Quote quote{slot.bid.load(std::memory_order_relaxed), slot.ask.load(std::memory_order_relaxed)};
        std::atomic_thread_fence(std::memory_order_acquire); // copied
        if (slot.version.load(std::memory_order_relaxed) != version)
            return std::nullopt;
        return quote;
    }

private:
    unsigned next_ = 0; // of the sender
    std::array<Slot, Capacity> slots_;
};

static Broadcast<1> quotes;

static void subscriber()
{
    for (unsigned position = 0; position < 2; position++)
        if (auto quote = quotes.read(position)) {
            assert(quote->bid + 1 == quote->ask);
        }
}

int main()
{
    std::thread first(subscriber), second(subscriber);
    quotes.send({10, 11});
    quotes.send({20, 21});
    first.join();
    second.join();
}
