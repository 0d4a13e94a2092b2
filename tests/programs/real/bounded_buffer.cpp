// A bounded buffer as a monitor: a mutex and two condition variables around a ring.
// expect[sc,tso,rc11]: verified
// A wait that is not repeated: another consumer may have been faster.
// twin[sc,rc11] `while (count_ == 0)` -> `if (count_ == 0)`: violation=assertion line=33
// A wake-up that nobody sends.
// twin[sc,rc11] `not_full_.notify_one();` -> ``: violation=deadlock
// twin[sc,rc11] `not_empty_.notify_one();` -> ``: violation=deadlock
// Both sides wait for the same condition, so a wake-up may reach the wrong thread.
// twin[rc11] `not_full_.wait(lock)` -> `not_empty_.wait(lock)`: violation=deadlock
#include <array>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

template <typename T, int Capacity>
class BoundedBuffer {
public:
    void put(T item)
    {
        std::unique_lock<std::mutex> lock(mutex_);
        while (count_ == Capacity)
            not_full_.wait(lock);
        items_[(first_ + count_++) % Capacity] = item;
        not_empty_.notify_one();
    }

    T take()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        while (count_ == 0)
            not_empty_.wait(lock);
        assert(count_ > 0);
        T item = items_[first_];
        first_ = (first_ + 1) % Capacity;
        count_--;
        not_full_.notify_one();
        return item;
    }

private:
    std::mutex mutex_;
    std::condition_variable not_full_, not_empty_;
    std::array<T, Capacity> items_;
    int first_ = 0, count_ = 0;
};

int main()
{
    BoundedBuffer<int, 1> buffer;
    int got[2];
    std::thread first([&] { got[0] = buffer.take(); });
    std::thread second([&] { got[1] = buffer.take(); });
    buffer.put(1);
    buffer.put(2);
    first.join();
    second.join();
    assert(got[0] + got[1] == 3);
}
