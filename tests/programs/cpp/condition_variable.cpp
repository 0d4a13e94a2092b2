// A blocking queue: the consumer waits until something is there. Without a notification it may wait for ever.
// expect[sc,rc11]: verified
// twin[sc,rc11] `filled.notify_one();` -> ``: violation=deadlock
// twin[sc] `filled.wait(lock, [&] { return !items.empty(); });` -> `filled.wait(lock);`: violation=deadlock
// twin[rc11] `std::lock_guard lock(mutex);` -> ``: violation=race
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

template <class T>
class Channel {
  std::deque<T> items;
  std::mutex mutex;
  std::condition_variable filled;

public:
  void send(T item) {
    std::lock_guard lock(mutex);
    items.push_back(item);
    filled.notify_one();
  }
  T receive() {
    std::unique_lock lock(mutex);
    filled.wait(lock, [&] { return !items.empty(); });
    T item = items.front();
    items.pop_front();
    return item;
  }
};

int main() {
  Channel<int> channel;
  std::thread sender([&] {
    channel.send(1);
    channel.send(2);
  });
  assert(channel.receive() == 1);
  assert(channel.receive() == 2);
  sender.join();
}
