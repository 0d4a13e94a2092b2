// A thread pool: a mutex, a condition variable and a vector of jobs; its destructor lets the workers finish all jobs.
// expect[sc,tso,rc11]: verified
// Each worker has to learn that the pool ends.
// twin[sc,rc11] `changed_.notify_all();` -> `changed_.notify_one();`: violation=deadlock line=58
// The end is set without the lock.
// twin[rc11] `std::lock_guard<std::mutex> lock(mutex_); // stop` -> ``: violation=race
// A worker that stops although there are jobs.
// twin[sc,rc11] `if (jobs_.empty())` -> `if (stopping_)`: violation=assertion line=81
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
public:
    using Job = void (*)();

    explicit Pool(int workers)
    {
        threads_.reserve(workers);
        jobs_.reserve(4);
        for (int i = 0; i < workers; i++)
            threads_.emplace_back([this] { work(); });
    }

    ~Pool()
    {
        {
            std::lock_guard<std::mutex> lock(mutex_); // stop
            stopping_ = true;
        }
        changed_.notify_all();
        for (auto &thread : threads_)
            thread.join();
    }

    void submit(Job job)
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            jobs_.push_back(job);
        }
        changed_.notify_one();
    }

private:
    void work()
    {
        while (Job job = next())
            job();
    }

    Job next()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        while (jobs_.empty() && !stopping_)
            changed_.wait(lock);
        if (jobs_.empty())
            return nullptr;
        Job job = jobs_.back();
        jobs_.pop_back();
        return job;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Job> jobs_; // guarded by mutex_
    bool stopping_ = false; // guarded by mutex_
    std::vector<std::thread> threads_;
};

static int done; // by one job only

int main()
{
    {
        Pool pool(2);
        pool.submit([] { done++; });
    }
    assert(done == 1);
}
