// A host in C that records spans through the shared library, as an installed one is used: found at run
// time, called through pointers, as every call of a shared library is.

#ifndef SCROLLTRACE_SPAN_LOOP_H
#define SCROLLTRACE_SPAN_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/// Loads the library at `library` once and begins a recording at `trace`; whether it did.
bool scrolltrace_loop_open(const char *library, const char *trace, uint64_t prepared_bytes);

/// Records `count` spans, one after the other, with their number as item if `items`.
void scrolltrace_loop_run(uint64_t count, bool items);

/// Ends the recording; gives how many events it lost.
uint64_t scrolltrace_loop_close(void);

#endif
