// GCC's header that includes all others: one of that name is there.
// expect[rc11]: verified complete=2 blocked=0
#include <bits/stdc++.h>

int main()
{
    std::mutex lock;
    std::map<int, int> sums;
    auto add = [&](int key) {
        std::lock_guard<std::mutex> guard(lock);
        sums[key] += key;
    };
    std::thread first(add, 1), second(add, 2);
    first.join();
    second.join();
    assert(sums[1] + sums[2] == 3);
}
