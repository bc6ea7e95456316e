// Walks a thread's stack by the call frame information of its modules. Nothing here allocates or locks, so
// that a signal handler can use all of it, and nothing that a stack or a module says is believed: what is
// read lies in the stack or in a loaded module.

#ifndef SCROLLTRACE_UNWIND_H
#define SCROLLTRACE_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define SCROLLTRACE_HAS_STACKS 1

// The numbers of registers in call frame information.
#if defined(__x86_64__)
enum { REGISTER_COUNT = 17, FRAME_POINTER = 6, STACK_POINTER = 7, RETURN_ADDRESS = 16 };
enum { PROGRAM_COUNTER = RETURN_ADDRESS };
#else
enum { REGISTER_COUNT = 32, FRAME_POINTER = 29, STACK_POINTER = 31, RETURN_ADDRESS = 30 };
// It has no number.
enum { PROGRAM_COUNTER = REGISTER_COUNT };
#endif

/// The registers of one function of a stack.
typedef struct registers {
  uint64_t pc;
  uint64_t value[REGISTER_COUNT];
  /// A bit for each register whose value is known.
  uint64_t known;
} registers;

/// The part of a stack that may be read: the bytes from `low` to `top`, which are at `bytes`.
typedef struct stack_memory {
  uint64_t low, top;
  const uint8_t *bytes;
} stack_memory;

/// How one register of the caller is found.
typedef struct register_rule {
  uint8_t kind;
  int32_t value;
} register_rule;

/// How the registers of a caller are found at one place of the code.
typedef struct unwind_row {
  register_rule cfa;
  register_rule registers[REGISTER_COUNT];
} unwind_row;

enum { ROW_COUNT = 512, REMEMBERED_ROWS = 4 };

/// A row that was worked out before.
typedef struct cached_row {
  uint64_t pc;
  /// The call frame information that the row is from.
  uint64_t header;
  uint64_t function_start, function_end;
  bool is_signal_frame;
  unwind_row row;
} cached_row;

/// What a walk needs besides registers and a stack. Only one walk at a time may use it.
typedef struct unwind_scratch {
  unwind_row first, remembered[REMEMBERED_ROWS];
  cached_row rows[ROW_COUNT];
} unwind_scratch;

/// How a walk ended.
typedef enum walk_end {
  /// At the outermost function.
  WALK_WHOLE,
  /// At a function whose caller cannot be found: generated code, another stack.
  WALK_LOST,
  /// At the most functions that are kept.
  WALK_TRUNCATED,
} walk_end;

/// Writes the addresses of a stack's functions to `addresses`, innermost first: of a caller, one inside
/// the call.
///
/// With `is_guarded`, the modules may be unloaded meanwhile: the stack is not the calling thread's.
walk_end scrolltrace_walk(
    registers *registers, stack_memory stack, bool is_guarded, unwind_scratch *scratch,
    uint64_t *addresses, uint32_t capacity, uint32_t *count);

#endif
#endif
