// Shared and weak pointers as templates with one control block, which holds the object itself.
// expect[sc,tso,rc11]: verified
// twin[rc11] `strong.fetch_sub(1, std::memory_order_release)` -> `strong.fetch_sub(1, std::memory_order_relaxed)`: violation=race line=108
// twin[rc11] `std::memory_order_acquire); // object` -> `std::memory_order_relaxed); // object`: violation=race line=108
// twin[rc11] `weak.fetch_sub(1, std::memory_order_release)` -> `weak.fetch_sub(1, std::memory_order_relaxed)`: violation=freed
// twin[rc11] `std::memory_order_acquire); // block` -> `std::memory_order_relaxed); // block`: violation=freed
// A lock that revives an object which is being destroyed.
// twin[sc,tso] `if (count == 0)` -> `if (false)`: violation=assertion line=117
// twin[rc11] `if (count == 0)` -> `if (false)`: violation=race lines=108,117
// A copy that is not counted.
// twin[sc,tso,rc11] `block_->strong.fetch_add(1, std::memory_order_relaxed);` -> ``: violation=freed line=120
#include <atomic>
#include <cassert>
#include <thread>
#include <utility>

template <typename T>
struct Block {
    std::atomic<int> strong{1};
    std::atomic<int> weak{1}; // and one more as long as there are strong ones
    union {
        T object;
    };

    template <typename... Args>
    explicit Block(Args &&...args) : object(std::forward<Args>(args)...)
    {
    }
    ~Block() {}

    void drop_weak()
    {
        if (weak.fetch_sub(1, std::memory_order_release) == 1) {
            std::atomic_thread_fence(std::memory_order_acquire); // block
            delete this;
        }
    }

    void drop_strong()
    {
        if (strong.fetch_sub(1, std::memory_order_release) == 1) {
            std::atomic_thread_fence(std::memory_order_acquire); // object
            object.~T();
            drop_weak();
        }
    }
};

template <typename T>
class Weak;

template <typename T>
class Arc {
public:
    template <typename... Args>
    static Arc make(Args &&...args)
    {
        return Arc(new Block<T>(std::forward<Args>(args)...));
    }
    Arc(const Arc &other) : block_(other.block_)
    {
        block_->strong.fetch_add(1, std::memory_order_relaxed);
    }
    Arc(Arc &&other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
    Arc &operator=(const Arc &) = delete;
    ~Arc()
    {
        if (block_)
            block_->drop_strong();
    }

    explicit operator bool() const { return block_ != nullptr; }
    T *operator->() const { return &block_->object; }

private:
    friend class Weak<T>;
    explicit Arc(Block<T> *block) : block_(block) {}
    Block<T> *block_;
};

template <typename T>
class Weak {
public:
    explicit Weak(const Arc<T> &arc) : block_(arc.block_) { block_->weak.fetch_add(1, std::memory_order_relaxed); }
    Weak(Weak &&other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
    ~Weak()
    {
        if (block_)
            block_->drop_weak();
    }

    Arc<T> lock() const
    {
        int count = block_->strong.load(std::memory_order_relaxed);
        do {
            if (count == 0)
                return Arc<T>(nullptr);
        } while (!block_->strong.compare_exchange_weak(count, count + 1, std::memory_order_relaxed));
        return Arc<T>(block_);
    }

private:
    Block<T> *block_;
};

struct Session {
    explicit Session(int user) : user(user) {}
    ~Session() { user = 0; }
    int user;
};

int main()
{
    auto session = Arc<Session>::make(7);
    std::thread observer([weak = Weak<Session>(session)] {
        if (Arc<Session> locked = weak.lock())
            assert(locked->user == 7);
    });
    std::thread owner([copy = session] {
        assert(copy->user == 7);
    });
    {
        Arc<Session> last = std::move(session);
    }
    observer.join();
    owner.join();
}
