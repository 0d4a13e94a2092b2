// std::cout, std::cerr and std::clog, for checking: they print as printf does, which is no event. Formats other than
// the default are refused where they are set (frontend/cpp/formats.py), so nothing here looks at them.

#include <cstdio>
#include <ostream>

namespace std {
void another_stream(); // refused by name: it is not defined, and the constructors of other streams are not either
}

namespace {

// An ostream as far as programs see it: the table of virtual functions says where the ios is. All is well with it.
struct Stream {
  const void* table;
  const void* ios_table;
  char ios[sizeof(std::ostream) - 2 * sizeof(void*)];
};
static_assert(sizeof(Stream) == sizeof(std::ostream));
const long table[] = {offsetof(Stream, ios_table), 0, 0, 0};

} // namespace

extern "C" Stream __mazurka_cout asm("_ZNSt3__14coutE");
extern "C" Stream __mazurka_cerr asm("_ZNSt3__14cerrE");
extern "C" Stream __mazurka_clog asm("_ZNSt3__14clogE");
Stream __mazurka_cout = {&table[3]};
Stream __mazurka_cerr = {&table[3]};
Stream __mazurka_clog = {&table[3]};

namespace {

void* shown(void* stream) {
  if (stream != &__mazurka_cout && stream != &__mazurka_cerr && stream != &__mazurka_clog)
    std::another_stream();
  return stream;
}

} // namespace

extern "C" void __mazurka_put(void* stream, const char* str, size_t len) {
  shown(stream);
  for (size_t at = 0; at < len; at++)
    putchar(str[at]);
}

// std::ostream's own functions, by the letters for their parameters.
#define OPERATOR(type, letters, format)                                                                       \
  extern "C" void* __mazurka_put_##letters(void* stream, type value) asm(                                     \
      "_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEEls" #letters);                                          \
  extern "C" void* __mazurka_put_##letters(void* stream, type value) {                                        \
    printf(format, value);                                                                                    \
    return shown(stream);                                                                                     \
  }

OPERATOR(bool, Eb, "%d")
OPERATOR(short, Es, "%hd")
OPERATOR(unsigned short, Et, "%hu")
OPERATOR(int, Ei, "%d")
OPERATOR(unsigned, Ej, "%u")
OPERATOR(long, El, "%ld")
OPERATOR(unsigned long, Em, "%lu")
OPERATOR(long long, Ex, "%lld")
OPERATOR(unsigned long long, Ey, "%llu")
OPERATOR(float, Ef, "%g")
OPERATOR(double, Ed, "%g")
OPERATOR(const void*, EPKv, "%p")

extern "C" void* __mazurka_put_character(void*, char) asm("_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEE3putEc");
extern "C" void* __mazurka_put_character(void* stream, char value) {
  putchar(value);
  return shown(stream);
}

extern "C" void* __mazurka_write(void*, const char*, long) asm("_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEE5writeEPKcl");
extern "C" void* __mazurka_write(void* stream, const char* str, long len) {
  __mazurka_put(stream, str, len);
  return stream;
}

extern "C" void* __mazurka_flush(void*) asm("_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEE5flushEv");
extern "C" void* __mazurka_flush(void* stream) { return shown(stream); }

extern "C" bool __mazurka_sync(bool) asm("_ZNSt3__18ios_base15sync_with_stdioEb");
extern "C" bool __mazurka_sync(bool) { return true; }
