// Which exceptions a handler catches: types compared as the Itanium C++ ABI lays them out (2.9.5), by the rules of
// [except.handle]. The functions of these types in libc++abi do the same by virtual calls, which keep no address private.

#ifndef MAZURKA_EXCEPTION_TYPES_H
#define MAZURKA_EXCEPTION_TYPES_H

#include <cstddef>

// std::type_info, and the classes derived from it.
struct Type {
  const char* const* kind; // the table of virtual functions, behind its first two entries
  const char* name;
};
struct DerivedType : Type {
  const Type* base; // a single, public one at offset 0, not virtual
};
struct Base {
  const Type* type;
  long flags; // 1: virtual; 2: public; the rest is its offset, or where the table of virtual functions has that
};
struct DerivedFromMany : Type {
  unsigned flags, count;
  Base bases[1];
};
struct PointerType : Type { // also to members, of a class that comes next
  unsigned flags;
  const Type* target;
};

enum { CONST = 1, VOLATILE = 2, RESTRICT = 4, INCOMPLETE = 8, INCOMPLETE_CLASS = 16, TRANSACTION = 32, NOEXCEPT = 64 };

#define MAZURKA_KIND(name, symbol) extern "C" const char* const __mazurka_##name[] asm("_ZTVN10__cxxabiv1" symbol "E")
MAZURKA_KIND(class_type, "17__class_type_info");
MAZURKA_KIND(derived_type, "20__si_class_type_info");
MAZURKA_KIND(derived_from_many, "21__vmi_class_type_info");
MAZURKA_KIND(pointer_type, "19__pointer_type_info");
MAZURKA_KIND(member_pointer_type, "29__pointer_to_member_type_info");
MAZURKA_KIND(function_type, "20__function_type_info");
#undef MAZURKA_KIND
extern "C" const Type __mazurka_void asm("_ZTIv");
extern "C" const Type __mazurka_nullptr asm("_ZTIDn");

namespace {

inline bool is(const Type* type, const char* const* table) { return type->kind == table + 2; }

inline bool is_class(const Type* type) {
  return is(type, __mazurka_class_type) || is(type, __mazurka_derived_type) || is(type, __mazurka_derived_from_many);
}

inline bool is_pointer(const Type* type) { return is(type, __mazurka_pointer_type); }
inline bool is_member_pointer(const Type* type) { return is(type, __mazurka_member_pointer_type); }
inline unsigned flags_of(const Type* type) { return static_cast<const PointerType*>(type)->flags; }
inline const Type* target_of(const Type* type) { return static_cast<const PointerType*>(type)->target; }

inline const Type* class_of(const Type* member_pointer) {
  struct MemberPointerType : PointerType {
    const Type* of;
  };
  return static_cast<const MemberPointerType*>(member_pointer)->of;
}

inline bool may_be_incomplete(const Type* type) {
  return (is_pointer(type) || is_member_pointer(type)) && flags_of(type) & (INCOMPLETE | INCOMPLETE_CLASS);
}

// Each type has one name, unless it is incomplete somewhere: then modules have names of their own.
bool is_same(const Type* one, const Type* two) {
  if (one == two || one->name == two->name)
    return true;
  if (!(may_be_incomplete(one) || may_be_incomplete(two)))
    return false;
  size_t at = 0;
  while (one->name[at] && one->name[at] == two->name[at])
    at++;
  return one->name[at] == two->name[at];
}

// A base that is looked for. Two are the same if they are at the same offset in the whole object, or in the same
// virtual base: no object is needed to tell.
struct Wanted {
  const Type* type;
  unsigned count;
  const Type* root;
  long offset;
  char* place;
  bool is_public;
};

void find_base(const Type* type, const Type* root, long offset, char* place, bool is_public, Wanted* wanted) {
  if (is_same(type, wanted->type)) {
    bool is_new = !wanted->count || wanted->root != root || wanted->offset != offset;
    wanted->is_public = is_public || (!is_new && wanted->is_public);
    wanted->count += is_new;
    wanted->root = root;
    wanted->offset = offset;
    wanted->place = place;
  } else if (is(type, __mazurka_derived_type)) {
    find_base(static_cast<const DerivedType*>(type)->base, root, offset, place, is_public, wanted);
  } else if (is(type, __mazurka_derived_from_many)) {
    auto many = static_cast<const DerivedFromMany*>(type);
    for (unsigned at = 0; at < many->count; at++) {
      const Type* base = many->bases[at].type;
      long flags = many->bases[at].flags, step = flags >> 8;
      bool is_still_public = is_public && flags & 2;
      if (flags & 1) {
        long* table = place ? *reinterpret_cast<long**>(place) : nullptr;
        char* inside = place ? place + *reinterpret_cast<long*>(reinterpret_cast<char*>(table) + step) : nullptr;
        find_base(base, base, 0, inside, is_still_public, wanted);
      } else {
        find_base(base, root, offset + step, place ? place + step : nullptr, is_still_public, wanted);
      }
    }
  }
}

// Whether a class has an unambiguous public base, or is it; where that is in an object, which may be null.
bool has_base(const Type* type, const Type* base, char* object, void** place) {
  Wanted wanted = {base, 0, nullptr, 0, nullptr, false};
  find_base(type, nullptr, 0, object, true, &wanted);
  *place = wanted.place;
  return wanted.count == 1 && wanted.is_public;
}

// Whether one pointer converts to another by adding const and the like, behind the first target.
bool adds_qualifiers(const Type* wanted, const Type* thrown) {
  for (;;) {
    bool are_alike = (is_pointer(wanted) && is_pointer(thrown)) ||
                     (is_member_pointer(wanted) && is_member_pointer(thrown) &&
                      is_same(class_of(wanted), class_of(thrown)));
    if (!are_alike || flags_of(thrown) & ~flags_of(wanted) & (CONST | VOLATILE | RESTRICT))
      return false;
    if ((flags_of(thrown) ^ flags_of(wanted)) & (TRANSACTION | NOEXCEPT))
      return false;
    bool is_const = flags_of(wanted) & CONST;
    wanted = target_of(wanted);
    thrown = target_of(thrown);
    if (is_same(wanted, thrown))
      return true;
    if (!is_const)
      return false;
  }
}

bool converts(const Type* wanted, const Type* thrown, char* pointer, void** place) {
  *place = pointer;
  unsigned from = flags_of(thrown), to = flags_of(wanted);
  if (from & ~to & (CONST | VOLATILE | RESTRICT) || to & ~from & (TRANSACTION | NOEXCEPT))
    return false;
  const Type *target = target_of(thrown), *wanted_target = target_of(wanted);
  if (is_same(wanted_target, target))
    return true;
  if (is(wanted, __mazurka_pointer_type) && is_same(wanted_target, &__mazurka_void))
    return !is(target, __mazurka_function_type);
  if (is_pointer(wanted) && is_class(wanted_target) && is_class(target))
    return has_base(target, wanted_target, pointer, place);
  return to & CONST && adds_qualifiers(wanted_target, target);
}

// Whether a handler for a type catches an exception; where the handler finds it. Pointers are passed by value. The
// object may be null, to ask about the type alone.
bool matches(const Type* wanted, const Type* thrown, char* object, void** place) {
  static const long no_member[2] = {-1, 0}, no_function[2] = {0, 0};
  *place = object;
  if (!wanted)
    return true;
  if (is_pointer(wanted) && is_same(thrown, &__mazurka_nullptr)) {
    *place = nullptr;
    return true;
  }
  if (is_member_pointer(wanted) && is_same(thrown, &__mazurka_nullptr)) {
    bool is_function = is(target_of(wanted), __mazurka_function_type);
    *place = const_cast<long*>(is_function ? no_function : no_member);
    return true;
  }
  if (is_pointer(wanted) && is_pointer(thrown))
    return converts(wanted, thrown, object ? *reinterpret_cast<char**>(object) : nullptr, place);
  if (is_member_pointer(wanted) && is_member_pointer(thrown)) {
    void* same;
    return is_same(class_of(wanted), class_of(thrown)) && converts(wanted, thrown, nullptr, &same);
  }
  if (is_class(wanted) && is_class(thrown))
    return has_base(thrown, wanted, object, place);
  return is_same(wanted, thrown);
}

} // namespace

#endif
