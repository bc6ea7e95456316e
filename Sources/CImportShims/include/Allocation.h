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

/// Keeps the memory of freed arrays for the next ones: a page that the system clears costs more than
/// what is read from a file into it. Arrays of 1 MiB and more go back to the system, since they would leave
/// holes that no other array fits into.
static inline void scrolltrace_keep_large_arrays(void) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 4 << 20);
#endif
}

#endif
