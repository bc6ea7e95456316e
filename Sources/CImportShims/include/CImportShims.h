// The little of reading and converting traces that must be C.

#ifndef SCROLLTRACE_IMPORT_SHIMS_H
#define SCROLLTRACE_IMPORT_SHIMS_H

#include <stddef.h>
#include <stdint.h>

#include "Allocation.h"
#include "ByteMasks.h"
#include "ZlibStream.h"

/// The Swift runtime's own function: the name that a mangled one stands for, to be freed, or NULL.
char *_Nullable swift_demangle(
    const char *_Nonnull name, size_t length, char *_Nullable output, size_t *_Nullable output_size,
    uint32_t flags);

#endif
