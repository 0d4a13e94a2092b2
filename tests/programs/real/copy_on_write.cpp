// A configuration that is copied to be changed: readers take a shared_ptr of the current one and may keep it.
// expect[sc,tso,rc11]: verified
// Copying a shared_ptr while another thread assigns to it is a race, although its count is atomic.
// twin[rc11] `std::lock_guard<std::mutex> lock(mutex_); // reader` -> ``: violation=race
// twin[rc11] `std::lock_guard<std::mutex> lock(mutex_); // writer` -> ``: violation=race
// Two updates from the same state: one of them is lost.
// twin[sc,tso,rc11] `std::lock_guard<std::mutex> update(updates_);` -> ``: violation=assertion line=57
// Changed in place, though readers hold it.
// twin[rc11] `std::make_shared<Config>(*current())` -> `current()`: violation=race lines=49,53
// A reference into the configuration outlives it.
// twin[rc11] `std::shared_ptr<Config> config = store.current();` -> `Config *config = store.current().get();`: violation=freed
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

struct Config {
    int users = 0, limit = 0;
};

class Store {
public:
    std::shared_ptr<Config> current()
    {
        std::lock_guard<std::mutex> lock(mutex_); // reader
        return config_;
    }

    template <typename Change>
    void update(Change change)
    {
        std::lock_guard<std::mutex> update(updates_);
        std::shared_ptr<Config> copy = std::make_shared<Config>(*current());
        change(*copy);
        std::lock_guard<std::mutex> lock(mutex_); // writer
        config_ = std::move(copy);
    }

private:
    std::mutex updates_; // held while a copy is changed
    std::mutex mutex_;
    std::shared_ptr<Config> config_ = std::make_shared<Config>(); // guarded by mutex_
};

int main()
{
    Store store;
    std::thread first([&] { store.update([](Config &config) { config.users++; }); });
    std::thread second([&] { store.update([](Config &config) { config.limit++; }); });
    {
        std::shared_ptr<Config> config = store.current();
        assert(config->users <= 1);
    }
    first.join();
    second.join();
    assert(store.current()->users == 1 && store.current()->limit == 1);
}
