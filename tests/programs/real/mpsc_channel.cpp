// A channel with many senders that closes when the last of them is destroyed; messages are a lock-free list.
// expect[sc,tso,rc11]: verified
// twin[rc11] `node, std::memory_order_release` -> `node, std::memory_order_relaxed`: violation=race
// twin[rc11] `nullptr, std::memory_order_acquire` -> `nullptr, std::memory_order_relaxed`: violation=race
// Who sees that all senders are gone has to see all that they sent.
// twin[rc11] `fetch_sub(1, std::memory_order_release)` -> `fetch_sub(1, std::memory_order_relaxed)`: violation=assertion line=88
// twin[rc11] `senders.load(std::memory_order_acquire)` -> `senders.load(std::memory_order_relaxed)`: violation=assertion line=88
// Asking whether it is closed after the list was found empty: a message may come in between.
// twin[sc,tso,rc11] `return !closed; // nothing` -> `return !is_closed();`: violation=assertion line=88
// A sender that is copied without being counted.
// twin[sc,tso,rc11] `channel_->senders.fetch_add(1, std::memory_order_relaxed);` -> ``: violation=assertion line=88
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <utility>

template <typename T>
struct Channel {
    struct Node {
        T message;
        Node *next;
    };

    std::atomic<Node *> head{nullptr};
    std::atomic<int> senders{1};

    ~Channel() { drop(head.load(std::memory_order_relaxed)); }

    bool is_closed() const { return senders.load(std::memory_order_acquire) <= 0; }

    // Takes all messages; whether there may be more.
    template <typename Handler>
    bool receive(Handler handle)
    {
        bool closed = is_closed(); // first, so that what was sent before closing is in the list
        if (!head.load(std::memory_order_relaxed))
            return !closed; // nothing
        Node *nodes = head.exchange(nullptr, std::memory_order_acquire);
        for (Node *node = nodes; node; node = node->next)
            handle(node->message);
        drop(nodes);
        return !closed;
    }

    static void drop(Node *node)
    {
        while (node)
            delete std::exchange(node, node->next);
    }
};

template <typename T>
class Sender {
public:
    explicit Sender(Channel<T> &channel) : channel_(&channel) {}
    Sender(const Sender &other) : channel_(other.channel_)
    {
        channel_->senders.fetch_add(1, std::memory_order_relaxed);
    }
    Sender &operator=(const Sender &) = delete;
    ~Sender() { channel_->senders.fetch_sub(1, std::memory_order_release); }

    void send(T message) const
    {
        auto *node = new typename Channel<T>::Node{std::move(message), channel_->head.load(std::memory_order_relaxed)};
        while (!channel_->head.compare_exchange_weak(node->next, node, std::memory_order_release,
                                                     std::memory_order_relaxed))
            ;
    }

private:
    Channel<T> *channel_;
};

int main()
{
    Channel<int> channel;
    std::thread threads[2];
    {
        Sender<int> sender(channel);
        for (int i = 0; i < 2; i++)
            threads[i] = std::thread([sender, i] { sender.send(i + 1); });
    }
    int sum = 0;
    while (channel.receive([&](int message) { sum += message; }))
        ;
    assert(sum == 1 + 2);
    for (auto &thread : threads)
        thread.join();
}
