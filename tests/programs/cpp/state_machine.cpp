// A state machine of std::variant that another thread drives with std::function, and reads through std::optional.
// expect[sc,rc11]: verified complete=2
// twin[rc11] `std::lock_guard guard(mutex);` -> ``: violation=race
// twin[sc] `Done{state->number}` -> `Done{7}`: violation=assertion line=43
#include <cassert>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>

struct Idle {};
struct Running {
  int number;
};
struct Done {
  int result;
};

class Machine {
  std::variant<Idle, Running, Done> current;
  std::mutex mutex;

public:
  void step(const std::function<int()> &next) {
    std::lock_guard guard(mutex);
    if (std::holds_alternative<Idle>(current))
      current = Running{next()};
    else if (auto *state = std::get_if<Running>(&current))
      current = Done{state->number};
  }
  std::optional<int> result() {
    auto *done = std::get_if<Done>(&current);
    return done ? std::optional(done->result) : std::nullopt;
  }
};

int main() {
  Machine machine;
  std::thread t([&] { machine.step([] { return 5; }); });
  machine.step([] { return 5; });
  t.join();
  assert(machine.result().value_or(0) == 5);
}
