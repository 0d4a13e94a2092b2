/* Lets programs written for Dat3M compile unchanged: the same names as genmc.h. */
#ifndef DAT3M_H
#define DAT3M_H

#include "genmc.h"

#endif
