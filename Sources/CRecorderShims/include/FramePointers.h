// Walking a stack by its frame pointers, which all code on Apple's systems keeps.

#ifndef SCROLLTRACE_FRAME_POINTERS_H
#define SCROLLTRACE_FRAME_POINTERS_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Where a suspended thread is.
typedef struct scrolltrace_registers {
  uint64_t pc, sp, fp;
  /// The return address of the last call, or 0 if the processor keeps none in a register.
  uint64_t lr;
} scrolltrace_registers;

/// Removes the signature of a return address of arm64.
uint64_t scrolltrace_plain_address(uint64_t address);

/// Walks the stack below `top`, innermost function first, callers by the address of their call.
///
/// A Swift function that is `async` marks its frame by bit 60 of the saved frame pointer.
/// Nothing here allocates or locks: the thread may hold any lock.
///
/// - Returns: Whether the walk reached the outermost function.
bool scrolltrace_walk_frame_pointers(
    scrolltrace_registers registers, uint64_t top, uint64_t *addresses, uint32_t limit,
    uint32_t *count);

#pragma clang assume_nonnull end

#endif
