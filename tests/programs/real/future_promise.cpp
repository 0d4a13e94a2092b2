// A promise and its future: a mutex and a condition variable for those who wait, and an atomic flag for those who come later.
// expect[sc,tso,rc11]: verified
// twin[rc11] `true, std::memory_order_release` -> `true, std::memory_order_relaxed`: violation=race lines=24,39
// twin[rc11] `ready_.load(std::memory_order_acquire)` -> `ready_.load(std::memory_order_relaxed)`: violation=race lines=24,39
// Without the lock, the notification may come between the test and the wait.
// twin[sc,rc11] `std::lock_guard<std::mutex> lock(mutex_);` -> ``: violation=deadlock line=37
// twin[sc,rc11] `changed_.notify_all();` -> ``: violation=deadlock line=37
// Only one of those who wait is told.
// twin[sc,rc11] `notify_all` -> `notify_one`: violation=deadlock line=37
// The flag says ready before the value is there.
// twin[rc11] `value_ = value;` -> `ready_.store(true, std::memory_order_release); value_ = value;`: violation=race lines=24,39
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

template <typename T>
class State {
public:
    void set(T value)
    {
        value_ = value;
        {
            std::lock_guard<std::mutex> lock(mutex_);
            ready_.store(true, std::memory_order_release);
        }
        changed_.notify_all();
    }

    T get()
    {
        if (!is_ready()) {
            std::unique_lock<std::mutex> lock(mutex_);
            while (!is_ready())
                changed_.wait(lock);
        }
        return value_;
    }

private:
    bool is_ready() const { return ready_.load(std::memory_order_acquire); }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<bool> ready_{false};
    T value_;
};

template <typename T>
using Future = std::shared_ptr<State<T>>;

template <typename T>
class Promise {
public:
    Future<T> future() const { return state_; }
    void set(T value) { state_->set(value); }

private:
    std::shared_ptr<State<T>> state_ = std::make_shared<State<T>>();
};

int main()
{
    Promise<int> promise;
    auto wait = [future = promise.future()] { assert(future->get() == 7); };
    std::thread first(wait), second(wait);
    promise.set(7);
    first.join();
    second.join();
}
