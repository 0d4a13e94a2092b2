// An object of a derived class is published; its virtual functions and its type are those of the class that was made.
// expect[sc,rc11]: verified complete=2
// twin[rc11] `std::memory_order_release` -> `std::memory_order_relaxed`: violation=race
// twin[sc] `new Square(3)` -> `new Circle(3)`: violation=assertion line=36
#include <atomic>
#include <cassert>
#include <thread>
#include <typeinfo>

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  explicit Square(int side) : side(side) {}
  int area() const override { return side * side; }
};
struct Circle : Shape {
  int radius;
  explicit Circle(int radius) : radius(radius) {}
  int area() const override { return 3 * radius * radius; }
};
std::atomic<Shape *> current{nullptr};

int main() {
  std::thread t([] { current.store(new Square(3), std::memory_order_release); });
  Shape *shape = current.load(std::memory_order_acquire);
  if (shape) {
    assert(shape->area() % 9 == 0);
  }
  t.join();
  shape = current.load();
  const Square *square = dynamic_cast<Square *>(shape);
  bool is_square = square && typeid(*shape) == typeid(Square) && square->side == 3;
  assert(is_square);
  delete shape;
}
