// What sampling stacks by suspending threads needs besides what all samplers have, on the Apple systems that
// allow it.

#ifndef SCROLLTRACE_APPLE_SAMPLER_H
#define SCROLLTRACE_APPLE_SAMPLER_H

#include "StackSampler.h"

#if defined(__APPLE__) && (defined(__x86_64__) || defined(__aarch64__))
#include <TargetConditionals.h>
// A watch and a television let no thread suspend another.
#if !TARGET_OS_WATCH && !TARGET_OS_TV
#define SCROLLTRACE_HAS_APPLE_STACKS 1

#include <mach/mach.h>

enum {
  MOST_IMAGES = 2048,
};

typedef struct system_thread {
  thread_act_t port;
} system_thread;

typedef struct system_sampler {
  /// What the helper sleeps by; it is made once.
  semaphore_t awake;
  scrolltrace_module modules[MOST_IMAGES];
} system_sampler;

#endif
#endif

#endif
