// A work-stealing deque as a template: the owner pushes and pops at the bottom, thieves steal at the top.
// expect[sc,tso,rc11]: verified
// Owner and thief must not both overlook that one item is left.
// twin[tso,rc11] `seq_cst); // pop` -> `acq_rel); // pop`: violation=assertion line=73
// twin[rc11] `seq_cst); // steal` -> `acq_rel); // steal`: violation=assertion line=73
// A thief learns from the bottom that there is an item.
// twin[rc11] `std::atomic_thread_fence(std::memory_order_release);` -> ``: violation=race lines=71,88
// twin[rc11] `bottom_.load(std::memory_order_acquire)` -> `bottom_.load(std::memory_order_relaxed)`: violation=race lines=71,88
// The last item is for whoever moves the top.
// twin[sc,tso,rc11] `claim(top) ? item : nullptr` -> `item`: violation=assertion line=73
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

template <typename T, int Capacity>
class Deque {
public:
    void push(T *item)
    {
        int bottom = bottom_.load(std::memory_order_relaxed);
        items_[bottom % Capacity].store(item, std::memory_order_relaxed);
        // A fence: the bottom that a thief reads may be one that a later pop has stored.
        std::atomic_thread_fence(std::memory_order_release);
        bottom_.store(bottom + 1, std::memory_order_relaxed);
    }

    T *pop()
    {
        int bottom = bottom_.load(std::memory_order_relaxed) - 1;
        bottom_.store(bottom, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_seq_cst); // pop: reserved before we look at the top
        int top = top_.load(std::memory_order_relaxed);
        T *item = nullptr;
        if (top <= bottom)
            item = items_[bottom % Capacity].load(std::memory_order_relaxed);
        if (top < bottom)
            return item; // no thief comes this far
        if (top == bottom)
            item = claim(top) ? item : nullptr;
        bottom_.store(bottom + 1, std::memory_order_relaxed); // empty again
        return item;
    }

    T *steal()
    {
        int top = top_.load(std::memory_order_acquire);
        std::atomic_thread_fence(std::memory_order_seq_cst); // steal: the top is older than the bottom
        if (top >= bottom_.load(std::memory_order_acquire))
            return nullptr;
        T *item = items_[top % Capacity].load(std::memory_order_relaxed);
        return claim(top) ? item : nullptr;
    }

private:
    bool claim(int top)
    {
        return top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed);
    }

    std::atomic<int> top_{0}, bottom_{0};
    std::array<std::atomic<T *>, Capacity> items_{};
};

struct Task {
    int cost = 0;
    std::atomic<int> runs{0};

    void run()
    {
        assert(cost != 0);
        int before = runs.fetch_add(1, std::memory_order_relaxed);
        assert(before == 0);
    }
};

static Deque<Task, 4> deque;
static std::array<Task, 2> tasks;

int main()
{
    std::thread thief([] {
        for (int i = 0; i < 2; i++)
            if (Task *task = deque.steal())
                task->run();
    });
    for (Task &task : tasks) {
        task.cost = 5;
        deque.push(&task);
    }
    while (Task *task = deque.pop())
        task->run();
    thief.join();
    for (Task &task : tasks)
        assert(task.runs == 1);
}
