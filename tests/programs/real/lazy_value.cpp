// A value that is computed when it is first needed: std::call_once computes it, and a flag spares later callers the call.
// expect[sc,tso,rc11]: verified
// twin[rc11] `true, std::memory_order_release` -> `true, std::memory_order_relaxed`: violation=race
// twin[rc11] `ready_.load(std::memory_order_acquire)` -> `ready_.load(std::memory_order_relaxed)`: violation=race
// Only the flag is asked, and two threads compute at the same time.
// twin[rc11] `std::call_once(once_, [this] { compute(); });` -> `compute();`: violation=race
// Ready is said too early.
// twin[rc11] `value_.emplace(make_());` -> `ready_.store(true, std::memory_order_release); value_.emplace(make_());`: violation=race
#include <atomic>
#include <cassert>
#include <mutex>
#include <optional>
#include <thread>

template <typename T>
class Lazy {
public:
    explicit Lazy(T (*make)()) : make_(make) {}

    const T &get()
    {
        if (!ready_.load(std::memory_order_acquire))
            std::call_once(once_, [this] { compute(); });
        return *value_;
    }

private:
    void compute()
    {
        value_.emplace(make_());
        ready_.store(true, std::memory_order_release);
    }

    T (*make_)();
    std::once_flag once_;
    std::atomic<bool> ready_{false};
    std::optional<T> value_;
};

struct Table {
    int squares[2];
};

static Lazy<Table> table([] { return Table{{1, 4}}; });

int main()
{
    auto use = [] {
        int square = table.get().squares[1];
        assert(square == 4);
    };
    std::thread first(use), second(use);
    first.join();
    second.join();
}
