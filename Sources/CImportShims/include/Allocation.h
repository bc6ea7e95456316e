// How the C library keeps memory, which Swift cannot say: its macros are not imported.

#ifndef SCROLLTRACE_ALLOCATION_H
#define SCROLLTRACE_ALLOCATION_H

#include <stdlib.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

/// Lets the memory of arrays of 128 KiB and more go back to the system as soon as they are freed.
///
/// Glibc otherwise learns from the first ones to keep them among small objects, where a few that stay
/// pin many that are gone.
static inline void scrolltrace_return_large_arrays(void) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}

#endif
