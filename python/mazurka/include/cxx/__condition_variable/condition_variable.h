// Waits with a limit are all made of the one function that time.cpp defines.

#ifndef _MAZURKA_CONDITION_VARIABLE_H
#define _MAZURKA_CONDITION_VARIABLE_H

#include <__config>

#pragma GCC system_header

#undef _LIBCPP_HAS_COND_CLOCKWAIT
#define _LIBCPP_HAS_COND_CLOCKWAIT 0

#include_next <__condition_variable/condition_variable.h>

#endif
