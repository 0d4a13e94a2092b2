// A set as a skip list with two levels: a node belongs to the set once it is in the lower level; the upper one is a short cut.
// expect[sc,tso,rc11]: verified
// twin[rc11] `node, std::memory_order_release` -> `node, std::memory_order_relaxed`: violation=race
// twin[rc11] `next[level].load(std::memory_order_acquire)` -> `next[level].load(std::memory_order_relaxed)`: violation=race
// A short cut to a node that is not linked below leads nowhere.
// twin[sc,tso,rc11] `int level = 0; level < height; level++` -> `int level = height - 1; level >= 0; level--`: violation=assertion
// A link that is stored loses what another thread has inserted there.
// twin[sc,tso,rc11] `while (!link(before, level, at, node))` -> `while (before->next[level].store(node), false)`: violation=assertion line=82
// The neighbour that an exchange has found instead may belong before the key.
// twin[sc,tso,rc11] `find(node->key, level, before, at); // again` -> `;`: violation=assertion line=82
#include <atomic>
#include <cassert>
#include <thread>

class SkipList {
    static constexpr int Levels = 2;

    struct Node {
        int key;
        std::atomic<Node *> next[Levels]{};
    };

public:
    ~SkipList()
    {
        for (Node *node = after(&head_, 0), *next; node; node = next) {
            next = after(node, 0);
            delete node;
        }
    }

    void insert(int key, int height)
    {
        Node *node = new Node{key};
        for (int level = 0; level < height; level++) {
            Node *before, *at;
            find(node->key, level, before, at);
            while (!link(before, level, at, node))
                find(node->key, level, before, at); // again
        }
    }

    bool contains(int key)
    {
        Node *before, *at;
        find(key, 0, before, at);
        return at && at->key == key;
    }

private:
    static Node *after(Node *node, int level) { return node->next[level].load(std::memory_order_acquire); }

    static bool link(Node *before, int level, Node *&at, Node *node)
    {
        node->next[level].store(at, std::memory_order_relaxed);
        return before->next[level].compare_exchange_strong(at, node, std::memory_order_release,
                                                           std::memory_order_relaxed);
    }

    // The last node with a smaller key and the one after it, down to the given level.
    void find(int key, int down_to, Node *&before, Node *&at)
    {
        before = &head_;
        for (int level = Levels - 1; level >= down_to; level--)
            for (at = after(before, level); at && at->key < key; at = after(at, level))
                before = at;
    }

    Node head_{0};
};

int main()
{
    SkipList list;
    list.insert(9, 1);
    std::thread five([&] { list.insert(5, 2); });
    std::thread six([&] { list.insert(6, 1); });
    bool kept = list.contains(9);
    assert(kept);
    five.join();
    six.join();
    assert(list.contains(5) && list.contains(6));
}
