// A mailbox that holds the latest message: the writer and the reader exchange whole buffers.
// expect[sc,rc11]: verified
// twin[rc11] `box.exchange(message, std::memory_order_acq_rel)` -> `box.exchange(message, std::memory_order_relaxed)`: violation=race
// twin[sc] `delete old;` -> `delete old; delete old;`: violation=double-free
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

template <class T>
class Mailbox {
  std::atomic<T *> box{nullptr};

public:
  ~Mailbox() { delete box.load(); }
  void put(std::unique_ptr<T> next) {
    T *message = next.release();
    T *old = box.exchange(message, std::memory_order_acq_rel);
    delete old;
  }
  std::unique_ptr<T> take() { return std::unique_ptr<T>(box.exchange(nullptr, std::memory_order_acq_rel)); }
};

struct Message {
  int number, check;
};

int main() {
  Mailbox<Message> mailbox;
  std::thread writer([&] {
    mailbox.put(std::make_unique<Message>(1, 10));
    mailbox.put(std::make_unique<Message>(2, 20));
  });
  if (auto message = mailbox.take()) assert(message->check == 10 * message->number);
  writer.join();
}
