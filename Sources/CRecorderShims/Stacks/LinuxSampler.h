// What sampling stacks with signals and `/proc` needs besides what all samplers have.

#ifndef SCROLLTRACE_LINUX_SAMPLER_H
#define SCROLLTRACE_LINUX_SAMPLER_H

#include "Modules.h"

#ifdef SCROLLTRACE_HAS_STACKS

enum {
  /// How much of a waiting thread's stack is copied.
  STACK_COPY = 128 << 10,
};

typedef struct system_thread {
  /// The descriptor of what the thread waits for, or -1.
  int state_file;
  clockid_t clock;
  /// The clock of the thread's time on a core, and what it said at the last look.
  clockid_t core_clock;
  uint64_t core_time;
  bool has_waited;
  // The sample that the handler makes.
  uint32_t turn;
  uint64_t time;
  uint32_t count;
  bool is_cut;
  uint64_t addresses[SCROLLTRACE_MOST_FUNCTIONS];
  unwind_scratch scratch;
} system_thread;

typedef struct system_sampler {
  /// Whether the host has taken the signal for itself.
  bool is_refused;
  module_cache modules;
  // Of waiting threads.
  unwind_scratch scratch;
  uint8_t stack[STACK_COPY];
} system_sampler;

#endif
#endif
