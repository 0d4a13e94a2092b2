// A channel for one value: either end may be dropped at any time, and the last of the two frees what they share.
// expect[sc,tso,rc11]: verified
// twin[rc11] `VALUE, std::memory_order_release` -> `VALUE, std::memory_order_relaxed`: violation=race lines=44,63
// twin[rc11] `state.load(std::memory_order_acquire)` -> `state.load(std::memory_order_relaxed)`: violation=race lines=44,63
// The end that leaves first releases what it did, and the other acquires it before it frees.
// twin[rc11] `mine, std::memory_order_acq_rel` -> `mine, std::memory_order_acquire`: violation=freed
// twin[rc11] `mine, std::memory_order_acq_rel` -> `mine, std::memory_order_release`: violation=freed
// Freed by the first, not the last.
// twin[sc,tso,rc11] `if (before & theirs)` -> `if (!(before & theirs))`: violation=freed
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>
#include <utility>

enum : unsigned { VALUE = 1, SENDER_GONE = 2, RECEIVER_GONE = 4 };

template <typename T>
struct Shared {
    std::atomic<unsigned> state{0};
    std::optional<T> value;

    void leave(unsigned mine, unsigned theirs)
    {
        unsigned before = state.fetch_or(mine, std::memory_order_acq_rel);
        if (before & theirs)
            delete this;
    }
};

template <typename T>
class Sender {
public:
    explicit Sender(Shared<T> *shared) : shared_(shared) {}
    Sender(Sender &&other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
    ~Sender()
    {
        if (shared_)
            shared_->leave(SENDER_GONE, RECEIVER_GONE);
    }

    void send(T value)
    {
        shared_->value = std::move(value);
        shared_->state.fetch_or(VALUE, std::memory_order_release);
    }

private:
    Shared<T> *shared_;
};

template <typename T>
class Receiver {
public:
    explicit Receiver(Shared<T> *shared) : shared_(shared) {}
    Receiver(const Receiver &) = delete;
    ~Receiver() { shared_->leave(RECEIVER_GONE, SENDER_GONE); }

    std::optional<T> poll()
    {
        if (!(shared_->state.load(std::memory_order_acquire) & VALUE))
            return std::nullopt;
        return shared_->value;
    }

private:
    Shared<T> *shared_;
};

int main()
{
    auto *shared = new Shared<int>;
    std::thread worker([sender = Sender<int>(shared)]() mutable { sender.send(42); });
    {
        Receiver<int> receiver(shared);
        if (auto answer = receiver.poll())
            assert(*answer == 42);
    }
    worker.join();
}
