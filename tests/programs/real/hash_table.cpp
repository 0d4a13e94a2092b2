// A lock-free hash table with open addressing: a compare-exchange claims a slot for a key, and its value follows.
// expect[sc,tso,rc11]: verified
// twin[rc11] `wanted, std::memory_order_release` -> `wanted, std::memory_order_relaxed`: violation=race line=49
// twin[rc11] `slot->value.load(std::memory_order_acquire)` -> `slot->value.load(std::memory_order_relaxed)`: violation=race line=49
// A key that is stored into a free slot overwrites another one.
// twin[sc,tso,rc11] `claim(slot, key)` -> `(slot.key.store(key), true)`: violation=assertion
// A failed claim may be of the same key: two slots for one key.
// twin[sc,tso,rc11] `|| expected == key` -> ``: violation=assertion line=96
// A claimed slot has no value yet.
// twin[sc,tso,rc11] `value ? *value : fallback` -> `*value`: violation=unallocated line=49
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

template <typename T, unsigned Size>
class Table {
    struct Slot {
        std::atomic<int> key{0}; // 0: free
        std::atomic<T *> value{nullptr};
    };

public:
    ~Table()
    {
        for (Slot &slot : slots_)
            delete slot.value.load(std::memory_order_relaxed);
    }

    // Keeps the value that was set first.
    void insert(int key, T value)
    {
        Slot *slot = slot_of(key);
        T *expected = nullptr, *wanted = new T(value);
        if (!slot->value.compare_exchange_strong(expected, wanted, std::memory_order_release,
                                                 std::memory_order_relaxed))
            delete wanted;
    }

    T find(int key, T fallback)
    {
        for (unsigned i = 0; i < Size; i++) {
            Slot *slot = &slots_[(key + i) % Size];
            int found = slot->key.load(std::memory_order_relaxed);
            if (found == 0)
                break;
            if (found == key) {
                T *value = slot->value.load(std::memory_order_acquire);
                return value ? *value : fallback;
            }
        }
        return fallback;
    }

    unsigned used() const
    {
        unsigned count = 0;
        for (const Slot &slot : slots_)
            count += slot.key.load(std::memory_order_relaxed) != 0;
        return count;
    }

private:
    // Relaxed: a key needs no company, and slots are never given up.
    Slot *slot_of(int key)
    {
        for (unsigned i = 0;; i++) {
            Slot &slot = slots_[(key + i) % Size];
            if (claim(slot, key))
                return &slot;
        }
    }

    static bool claim(Slot &slot, int key)
    {
        int expected = 0;
        return slot.key.compare_exchange_strong(expected, key, std::memory_order_relaxed) || expected == key;
    }

    std::array<Slot, Size> slots_;
};

static Table<int, 4> table;

int main()
{
    std::thread first([] { table.insert(1, 10); });
    std::thread second([] {
        table.insert(1, 10);
        table.insert(5, 50); // collides with 1
    });
    int found = table.find(1, 10);
    assert(found == 10);
    first.join();
    second.join();
    assert(table.used() == 2);
    assert(table.find(1, 0) == 10 && table.find(5, 0) == 50);
}
