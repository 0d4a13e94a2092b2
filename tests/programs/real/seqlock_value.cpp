// A seqlock around any small value as a template: the value is kept as atomic words, which are copied optimistically.
// expect[sc,tso,rc11]: verified
// twin[rc11] `std::memory_order_release); // began` -> `std::memory_order_relaxed); // began`: violation=assertion line=79
// twin[rc11] `sequence + 2, std::memory_order_release` -> `sequence + 2, std::memory_order_relaxed`: violation=assertion line=79
// twin[rc11] `sequence_.load(std::memory_order_acquire)` -> `sequence_.load(std::memory_order_relaxed)`: violation=assertion line=79
// twin[rc11] `std::memory_order_acquire); // copied` -> `std::memory_order_relaxed); // copied`: violation=assertion line=79
// A copy that was begun while the value was written.
// twin[sc,tso,rc11] `(sequence & 1) == 0 &&` -> ``: violation=assertion line=79
// The last word is left out.
// twin[sc,rc11] `words[i] = words_[i].load(std::memory_order_relaxed);` -> `if (i > 0) words[i] = words_[i].load(std::memory_order_relaxed);`: violation=assertion line=79
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <optional>
#include <thread>

template <typename T>
class Seqlock {
    static_assert(sizeof(T) % sizeof(int) == 0);
    static constexpr int Words = sizeof(T) / sizeof(int);
    using Copy = std::array<int, Words>;

public:
    explicit Seqlock(const T &value)
    {
        Copy words = std::bit_cast<Copy>(value);
        for (int i = 0; i < Words; i++)
            words_[i].store(words[i], std::memory_order_relaxed);
    }

    // By one writer at a time.
    void store(const T &value)
    {
        Copy words = std::bit_cast<Copy>(value);
        unsigned sequence = sequence_.load(std::memory_order_relaxed);
        sequence_.store(sequence + 1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release); // began
        for (int i = 0; i < Words; i++)
            words_[i].store(words[i], std::memory_order_relaxed);
        sequence_.store(sequence + 2, std::memory_order_release);
    }

    T load() const
    {
        std::optional<T> value;
        while (!(value = attempt()))
            ;
        return *value;
    }

private:
    std::optional<T> attempt() const
    {
        Copy words{};
        unsigned sequence = sequence_.load(std::memory_order_acquire);
        for (int i = 0; i < Words; i++)
            words[i] = words_[i].load(std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_acquire); // copied
        if ((sequence & 1) == 0 && sequence_.load(std::memory_order_relaxed) == sequence)
            return std::bit_cast<T>(words);
        return std::nullopt;
    }

    std::atomic<unsigned> sequence_{0};
    std::array<std::atomic<int>, Words> words_;
};

struct Point {
    int x, y;
};

static Seqlock<Point> position(Point{1, 1});

int main()
{
    std::thread reader([] {
        Point point = position.load();
        assert(point.x == point.y);
    });
    position.store({2, 2});
    position.store({3, 3});
    reader.join();
}
