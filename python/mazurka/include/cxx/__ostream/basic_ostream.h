// libc++'s output streams, of which only those for standard output and error work (streams.cpp).

#include_next <__ostream/basic_ostream.h>

#ifndef _MAZURKA_BASIC_OSTREAM_H
#define _MAZURKA_BASIC_OSTREAM_H

#pragma GCC system_header

// Prints some characters; refused by name for other streams than those.
extern "C" void __mazurka_put(void* __stream, const char* __str, size_t __len);

_LIBCPP_BEGIN_NAMESPACE_STD

template <>
inline ostream& __put_character_sequence(ostream& __os, const char* __str, size_t __len) {
  ::__mazurka_put(&__os, __str, __len);
  return __os;
}

template <>
inline ostream& endl(ostream& __os) {
  ::__mazurka_put(&__os, "\n", 1);
  return __os;
}

template <>
inline ostream& ends(ostream& __os) {
  ::__mazurka_put(&__os, "", 1);
  return __os;
}

_LIBCPP_END_NAMESPACE_STD

#endif
