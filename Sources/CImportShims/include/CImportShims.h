// The little of reading and converting traces that must be C.

#ifndef SCROLLTRACE_IMPORT_SHIMS_H
#define SCROLLTRACE_IMPORT_SHIMS_H

#include "Allocation.h"
#include "ByteMasks.h"
#include "ZlibStream.h"

#endif
