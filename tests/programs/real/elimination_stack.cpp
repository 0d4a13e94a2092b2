// A stack with an exchanger: a push that meets a pop in the exchanger hands over its node without touching the top.
// expect[sc,tso,rc11]: verified
// Both ways hand over the node.
// twin[rc11] `node->next, node, std::memory_order_release` -> `node->next, node, std::memory_order_relaxed`: violation=race
// twin[rc11] `top_.load(std::memory_order_acquire)` -> `top_.load(std::memory_order_relaxed)`: violation=race
// twin[rc11] `empty, node, std::memory_order_release` -> `empty, node, std::memory_order_relaxed`: violation=race lines=28,40
// twin[rc11] `offer_.exchange(nullptr, std::memory_order_acq_rel)` -> `offer_.exchange(nullptr, std::memory_order_release)`: violation=race lines=28,40
// Who has handed over a node knows what the taker did before, such as an earlier push.
// twin[rc11] `offer_.exchange(nullptr, std::memory_order_acq_rel)` -> `offer_.exchange(nullptr, std::memory_order_acquire)`: violation=assertion line=84
// Taking back an offer by a store: somebody may have accepted it.
// twin[sc,tso,rc11] `return offer_.compare_exchange_strong(mine, nullptr, std::memory_order_relaxed);` -> `offer_.store(nullptr); return true;`: violation=assertion line=84
// An offer that is not taken back is pushed, too.
// twin[sc,tso,rc11] `!taken_back(node)` -> `offer_.load() != node`: violation=assertion line=84
#include <atomic>
#include <cassert>
#include <thread>

template <typename T>
class Stack {
    struct Node {
        T value;
        Node *next;
    };

public:
    void push(T value)
    {
        Node *node = new Node{value, nullptr};
        if (offered(node))
            return;
        node->next = top_.load(std::memory_order_relaxed);
        while (!top_.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed))
            ;
    }

    // 0 if there is nothing. Nodes are not freed: others may be looking at them.
    T pop()
    {
        if (Node *node = offer_.exchange(nullptr, std::memory_order_acq_rel))
            return node->value;
        Node *node = top_.load(std::memory_order_acquire);
        while (node && !top_.compare_exchange_weak(node, node->next, std::memory_order_acquire))
            ;
        return node ? node->value : T();
    }

private:
    bool offer(Node *node)
    {
        Node *empty = nullptr;
        return offer_.compare_exchange_strong(empty, node, std::memory_order_release, std::memory_order_relaxed);
    }

    // Whether somebody has taken the node.
    bool offered(Node *node)
    {
        return offer(node) && !taken_back(node);
    }

    bool taken_back(Node *node)
    {
        Node *mine = node;
        return offer_.compare_exchange_strong(mine, nullptr, std::memory_order_relaxed);
    }

    std::atomic<Node *> top_{nullptr};
    std::atomic<Node *> offer_{nullptr};
};

int main()
{
    Stack<int> stack;
    int first = 0, second = 0;
    std::thread one([&] {
        stack.push(1);
        first = stack.pop();
    });
    std::thread two([&] {
        stack.push(2);
        second = stack.pop();
    });
    one.join();
    two.join();
    assert(first + second == 3);
}
