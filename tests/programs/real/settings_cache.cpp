// A cache behind a shared mutex: lookups share it, and a miss computes the value and inserts it unless another thread did.
// expect[sc,tso,rc11]: verified
// Writing under a lock that is only shared.
// twin[rc11] `std::unique_lock<std::shared_mutex> lock(mutex_);` -> `std::shared_lock<std::shared_mutex> lock(mutex_);`: violation=race
// Looking without a lock.
// twin[rc11] `std::shared_lock<std::shared_mutex> lock(mutex_);` -> ``: violation=race
// Between the two locks another thread may have inserted the value.
// twin[sc,tso,rc11] `if (const int *value = search(key)) // again` -> `if (const int *value = nullptr)`: violation=assertion line=65
#include <cassert>
#include <optional>
#include <shared_mutex>
#include <thread>
#include <utility>
#include <vector>

class Cache {
public:
    int get(int key)
    {
        if (auto value = find(key))
            return *value;
        return insert(key, key * key);
    }

    std::size_t size() const { return entries_.size(); }

private:
    const int *search(int key) const
    {
        for (const auto &entry : entries_)
            if (entry.first == key)
                return &entry.second;
        return nullptr;
    }

    std::optional<int> find(int key) const
    {
        std::shared_lock<std::shared_mutex> lock(mutex_);
        if (const int *value = search(key))
            return *value; // copy
        return std::nullopt;
    }

    int insert(int key, int value)
    {
        std::unique_lock<std::shared_mutex> lock(mutex_);
        if (const int *value = search(key)) // again
            return *value;
        entries_.emplace_back(key, value);
        return value;
    }

    mutable std::shared_mutex mutex_;
    std::vector<std::pair<int, int>> entries_; // guarded by mutex_
};

int main()
{
    Cache cache;
    assert(cache.get(5) == 25);
    std::thread first([&] { assert(cache.get(3) == 9); });
    std::thread second([&] { assert(cache.get(3) == 9); });
    first.join();
    second.join();
    assert(cache.size() == 2);
}
