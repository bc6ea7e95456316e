#include "FramePointers.h"

/// Set in the frame pointers that a Swift `async` function saves.
static const uint64_t async_mark = (uint64_t)1 << 60;

uint64_t scrolltrace_plain_address(uint64_t address) {
  return address & (((uint64_t)1 << 47) - 1);
}

/// A word that may lie anywhere.
typedef struct __attribute__((packed, may_alias)) stack_word {
  uint64_t value;
} stack_word;

__attribute__((no_sanitize("address", "thread")))
static uint64_t read_stack(uint64_t address) {
  return ((const volatile stack_word *)(uintptr_t)address)->value;
}

// A function that has not set up its frame, or keeps none because it calls nothing, hides its caller.
bool scrolltrace_walk_frame_pointers(
    scrolltrace_registers registers, uint64_t top, uint64_t *addresses, uint32_t limit,
    uint32_t *count) {
  *count = 0;
  addresses[(*count)++] = registers.pc;
  uint64_t low = registers.sp;
  uint64_t frame = registers.fp & ~async_mark;
  while (*count < limit) {
    if (frame == 0) return true;
    if (frame < low || top < 16 || frame > top - 16 || frame & 7) return false;
    const uint64_t address = scrolltrace_plain_address(read_stack(frame + 8));
    if (address == 0) return true;
    addresses[(*count)++] = address - 1;
    low = frame + 16;
    frame = read_stack(frame) & ~async_mark;
  }
  return false;
}
