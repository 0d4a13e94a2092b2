// Exceptions in a single thread: which handler runs, what is destroyed on the way, and in which order.
#include <cstdarg>
#include <cstdio>
#include <exception>
#include <functional>
#include <future>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <variant>
#include <vector>

struct Loud {
  int n;
  Loud(int n) : n(n) { printf("+%d ", n); }
  Loud(const Loud &other) : n(other.n + 100) { printf("c%d ", n); }
  ~Loud() { printf("-%d ", n); }
};
struct Pair {
  Loud one, two;
  Pair(int n) : one(n), two(n + 1) {
    if (n == 30) throw std::string("half a pair, with a text that is too long to be inside the object");
  }
};
struct Member {
  void (Member::*function)() = nullptr;
  int value = 3;
  void call() {}
};
enum Colour { red, green };

void show(const char *kind, const char *text) {
  printf("%s ", kind);
  while (*text) putchar(*text++);
}

template <class F> void tried(const char *name, F f) {
  printf("%s: ", name);
  try {
    Loud local(1);
    f();
    printf("nothing");
  } catch (const Loud &loud) {
    printf("Loud& %d", loud.n);
  } catch (Colour colour) {
    printf("Colour %d", colour);
  } catch (unsigned) {
    printf("unsigned");
  } catch (int number) {
    printf("int %d", number);
  } catch (const std::string &text) {
    show("string", text.c_str());
  } catch (int Member::*member) {
    printf("member %d", member ? Member().*member : -1);
  } catch (const char *text) {
    show("text", text);
  } catch (const void *pointer) {
    printf("pointer %d", pointer != nullptr);
  } catch (std::logic_error &error) {
    show("logic_error", error.what());
  } catch (const std::exception &error) {
    show("exception", error.what());
  } catch (...) {
    printf("other, of %d", std::uncaught_exceptions());
  }
  printf(" (%d)\n", std::uncaught_exceptions());
}

struct InUnwinding {
  ~InUnwinding() {
    try {
      printf("unwinding %d ", std::uncaught_exceptions());
      throw 5;
    } catch (int number) {
      printf("inner %d of %d ", number, std::uncaught_exceptions());
    }
  }
};
int depth(int n) {
  Loud local(n);
  try {
    if (n == 0) throw n;
    return depth(n - 1);
  } catch (int number) {
    if (n == 3) return number;
    throw n;
  }
}
int initialised(int n) {
  static int value = n == 1 ? throw n : n;
  return value;
}
struct Outside { // its constructors are one function with two names
  Loud one, two;
  Outside(int n);
  ~Outside() { printf("whole "); }
};
Outside::Outside(int n) : one(n), two(n + 1) {
  if (n != 50) throw n;
}
int last(int n) { [[clang::musttail]] return depth(n); }
struct Second {
  virtual long sum(int count, ...) = 0;
};
struct Both : Member, Second {
  long sum(int count, ...) override { // called by a function that passes on the arguments
    long result = value;
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++) result += va_arg(list, long);
    va_end(list);
    if (result > 50) throw int(result);
    return result;
  }
};
Pair *function_try(int n) try {
  return new Pair(n);
} catch (const std::string &) {
  return nullptr;
}
void loop() {
  int caught = 0;
  for (int i = 0; i < 20; i++) {
    try {
      Loud local(i);
      if (i == 2) continue;
      if (i % 2) throw i;
      if (i == 6) break;
    } catch (int number) {
      caught += number;
      if (number == 3) continue;
      printf("[%d] ", number);
    }
  }
  printf("%d", caught);
}
void nested() {
  try {
    try {
      throw Loud(7);
    } catch (Loud &loud) {
      loud.n = 8;
      try {
        throw;
      } catch (Loud copy) {
        printf("copy %d ", copy.n);
      }
      throw;
    }
  } catch (Loud &loud) {
    printf("again %d ", loud.n);
    throw std::out_of_range("after it");
  }
}
void by_pointer(std::exception_ptr pointer) {
  for (int i = 0; i < 2; i++) {
    try {
      std::rethrow_exception(pointer);
    } catch (Loud &loud) {
      printf("kept %d ", loud.n++);
      if (i == 1 && std::current_exception() == pointer) throw;
    }
  }
}

int main() {
  tried("nothing", [] {});
  tried("value", [] { throw Loud(2); });
  tried("enum", [] { throw green; });
  tried("int", [] { throw 1; });
  tried("long", [] { throw 1L; });
  tried("member", [] { throw &Member::value; });
  tried("member function", [] { throw &Member::call; });
  tried("text", [] { throw "text"; });
  tried("null", [] { throw nullptr; });
  tried("pointer", [] { throw static_cast<Loud *>(nullptr); });
  tried("function", [] { throw &loop; });
  tried("constructor", [] { Pair(30); });
  tried("new", [] { new Pair(30); });
  tried("outside", [] { Outside(60); });
  tried("outside", [] { Outside(50); });
  tried("outside", [] { delete new Outside(70); });
  tried("array", [] { Pair pairs[3] = {10, 20, 30}; });
  tried("function try", [] { printf("%d ", function_try(30) == nullptr); });
  tried("in unwinding", [] {
    InUnwinding local;
    throw std::runtime_error("outer");
  });
  tried("depth", [] { printf("%d ", depth(3)); });
  tried("last", [] { printf("%d ", last(2)); });
  tried("variadic", [] {
    Both both;
    Second *second = &both;
    printf("%ld ", second->sum(3, 10L, 20L, 5L));
    second->sum(2, 40L, 50L);
  });
  tried("no room", [] {
    volatile int length = -1;
    delete[] new int[length];
  });
  tried("static", [] { initialised(1); });
  tried("static", [] { printf("%d ", initialised(2)); });
  tried("static", [] { printf("%d ", initialised(1)); });
  tried("loop", loop);
  tried("nested", nested);
  tried("kept", [] { by_pointer(std::make_exception_ptr(Loud(4))); });
  tried("kept", [] {
    std::exception_ptr pointer;
    try {
      throw Loud(5);
    } catch (...) {
      pointer = std::current_exception();
    }
    by_pointer(pointer);
  });
  tried("vector", [] { std::vector<int>(3).at(3) = 1; });
  tried("string", [] { std::string().at(4); });
  tried("map", [] { std::map<int, int>().at(3); });
  tried("optional", [] { std::optional<int>().value(); });
  tried("stoi", [] { std::stoi("x"); });
  tried("variant", [] { std::get<int>(std::variant<int, long>(5L)); });
  tried("function", [] { std::function<void()>()(); });
  tried("length", [] { std::vector<int>().reserve(-1); });
  tried("join", [] { std::thread().join(); });
  tried("promise", [] {
    std::promise<int> promise;
    promise.set_exception(std::make_exception_ptr(6));
    promise.get_future().get();
  });
  tried("broken promise", [] {
    std::future<int> future;
    {
      std::promise<int> promise;
      future = promise.get_future();
    }
    future.get();
  });
  tried("nested_exception", [] {
    try {
      try {
        throw 9;
      } catch (...) {
        std::throw_with_nested(std::runtime_error("outer"));
      }
    } catch (std::runtime_error &error) {
      show("nested in", error.what());
      std::rethrow_if_nested(error);
    }
  });
}
