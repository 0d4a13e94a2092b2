// A channel without a buffer: a sender goes on only after a receiver has taken its value, by two semaphores of C++20.
// expect[sc,tso,rc11]: verified
// The slot may be written again only after the value was taken.
// twin[rc11] `taken_.acquire();` -> ``: violation=race lines=22,30
// Two senders in the same slot.
// twin[rc11] `std::lock_guard<std::mutex> lock(senders_);` -> ``: violation=race lines=22,22
// The value is there after the receiver was told.
// twin[rc11] `slot_ = value;` -> `full_.release(); slot_ = value;`: violation=race lines=22,30
// A receiver that does not say that it took the value.
// twin[sc,rc11] `taken_.release();` -> ``: violation=liveness
#include <cassert>
#include <mutex>
#include <semaphore>
#include <thread>

template <typename T>
class Rendezvous {
public:
    void send(T value)
    {
        std::lock_guard<std::mutex> lock(senders_);
        slot_ = value;
        full_.release();
        taken_.acquire();
    }

    T receive()
    {
        full_.acquire();
        T value = slot_;
        taken_.release();
        return value;
    }

private:
    std::mutex senders_;
    std::binary_semaphore full_{0}, taken_{0};
    T slot_;
};

int main()
{
    Rendezvous<int> channel;
    std::thread first([&] { channel.send(1); });
    std::thread second([&] { channel.send(2); });
    int sum = channel.receive() + channel.receive();
    assert(sum == 3);
    first.join();
    second.join();
}
