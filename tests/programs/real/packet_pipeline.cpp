// Packets that move from one stage to the next as unique pointers, through a ring for one producer and one consumer.
// expect[sc,tso,rc11]: verified
// twin[rc11] `tail + 1, std::memory_order_release` -> `tail + 1, std::memory_order_relaxed`: violation=race
// twin[rc11] `tail_.load(std::memory_order_acquire)` -> `tail_.load(std::memory_order_relaxed)`: violation=race
// The producer fills a slot again after the consumer has emptied it.
// twin[rc11] `head + 1, std::memory_order_release` -> `head + 1, std::memory_order_relaxed`: violation=race
// twin[rc11] `head_.load(std::memory_order_acquire)` -> `head_.load(std::memory_order_relaxed)`: violation=race
// A packet belongs to the next stage once it is pushed.
// twin[sc,rc11] `counted = packet->length; // before` -> `Packet *mine = packet.get(); ring.push(std::move(packet)); counted = mine->length; return;`: violation=freed line=56
// The pointer is copied, and the packet is freed by both stages.
// twin[sc,rc11] `std::move(slots_[head % Capacity])` -> `std::unique_ptr<T>(slots_[head % Capacity].get())`: violation=double-free
#include <array>
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <utility>

template <typename T, unsigned Capacity>
class Ring {
public:
    void push(std::unique_ptr<T> item)
    {
        unsigned tail = tail_.load(std::memory_order_relaxed);
        while (tail - head_.load(std::memory_order_acquire) == Capacity)
            ;
        slots_[tail % Capacity] = std::move(item);
        tail_.store(tail + 1, std::memory_order_release);
    }

    std::unique_ptr<T> pop()
    {
        unsigned head = head_.load(std::memory_order_relaxed);
        while (tail_.load(std::memory_order_acquire) == head)
            ;
        std::unique_ptr<T> item = std::move(slots_[head % Capacity]);
        head_.store(head + 1, std::memory_order_release);
        return item;
    }

private:
    std::atomic<unsigned> head_{0}, tail_{0};
    std::array<std::unique_ptr<T>, Capacity> slots_;
};

struct Packet {
    int length;
};

static Ring<Packet, 1> ring;
static int counted; // by the first stage

static void send(int length)
{
    auto packet = std::make_unique<Packet>(Packet{length});
    counted = packet->length; // before
    ring.push(std::move(packet));
}

int main()
{
    std::thread first([] {
        send(1);
        send(2);
    });
    assert(ring.pop()->length == 1);
    assert(ring.pop()->length == 2);
    first.join();
}
