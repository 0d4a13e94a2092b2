// Threads print to std::cout. To print is no event, and synchronises nothing.
// expect[sc,rc11]: verified complete=2
// twin[rc11] `total.fetch_add(1)` -> `plain++`: violation=race line=18
#include <atomic>
#include <iostream>
#include <string>
#include <thread>

struct Point {
  int x, y;
};
std::ostream &operator<<(std::ostream &out, const Point &p) { return out << '(' << p.x << ", " << p.y << ')'; }
std::atomic<int> total{0};
int plain = 0;

void work(const std::string &name) {
  std::cout << name << " begins" << std::endl;
  total.fetch_add(1);
  std::cerr << name << " is " << 0.5 << " done\n" << std::flush;
}

int main() {
  std::ios::sync_with_stdio(false);
  std::thread one(work, "one"), two(work, "two");
  one.join(), two.join();
  Point point{total, plain};
  if (std::cout) std::cout << point << '\n';
}
