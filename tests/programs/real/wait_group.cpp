// A wait group: threads count down when their part is done, and one waits for all of them by std::atomic's wait.
// Two orders of counting down, and five ways to see the count on its way to 0.
// expect[sc,tso,rc11]: verified complete=10
// twin[rc11] `1, std::memory_order_release` -> `1, std::memory_order_relaxed`: violation=race lines=42,47
// twin[rc11] `left_.load(std::memory_order_acquire)` -> `left_.load(std::memory_order_relaxed)`: violation=race lines=42,47
// A count in two steps loses one of them.
// twin[sc,rc11] `left_.fetch_sub(1, std::memory_order_release) == 1` -> `(left_ = left_ - 1) == 0`: violation=liveness line=30
// A part that is done before the work is.
// twin[sc,rc11] `parts[i] = (i + 1) * 10;` -> `group.done(); parts[i] = (i + 1) * 10;`: violation=assertion line=47
// A count that is one short.
// twin[sc,rc11] `WaitGroup group(2);` -> `WaitGroup group(1);`: violation=assertion line=47
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

class WaitGroup {
public:
    explicit WaitGroup(int count) : left_(count) {}

    void done()
    {
        if (left_.fetch_sub(1, std::memory_order_release) == 1)
            left_.notify_all();
    }

    void wait() const
    {
        for (int left; (left = left_.load(std::memory_order_acquire)) > 0;)
            left_.wait(left, std::memory_order_relaxed);
    }

private:
    std::atomic<int> left_;
};

int main()
{
    std::array<int, 2> parts{};
    WaitGroup group(2);
    auto work = [&](int i) {
        parts[i] = (i + 1) * 10;
        group.done();
    };
    std::thread first(work, 0), second(work, 1);
    group.wait();
    assert(parts[0] + parts[1] == 30);
    first.join();
    second.join();
}
