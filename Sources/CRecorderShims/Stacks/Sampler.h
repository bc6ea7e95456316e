// What the samplers of all systems share: which threads are sampled, for which recording, and when the
// helper thread sleeps. What only one system needs is in `system_thread` and `system_sampler`.

#ifndef SCROLLTRACE_SAMPLER_H
#define SCROLLTRACE_SAMPLER_H

#include "AppleSampler.h"
#include "LinuxSampler.h"
#include "SampledFrames.h"

#if defined(SCROLLTRACE_HAS_STACKS) || defined(SCROLLTRACE_HAS_APPLE_STACKS)

#include <pthread.h>

struct scrolltrace_sampled_thread {
  // Threads are never freed, only used again.
  scrolltrace_sampled_thread *next;
  scrolltrace_sampler *sampler;
  /// Held while the thread is looked at, so that it does not end meanwhile.
  pthread_mutex_t lock;
  pthread_t thread;
  /// The thread's number in the system, or 0 while it is not sampled.
  uint64_t id;
  /// The stack's end, or 0 if unknown.
  uint64_t top;
  sampled_frames frames;
  /// 1 while the thread is said to work between frames.
  uint32_t works;
  system_thread system;
};

struct scrolltrace_sampler {
  // Samplers are never freed, only used again: a frame may begin while its recording ends.
  scrolltrace_sampler *next;
  uint32_t is_taken;
  clockid_t clock;
  uint32_t stops;
  /// 1 while the helper waits for a frame.
  uint32_t sleeps;
  /// Since when content moves, or 0.
  uint64_t motion;
  /// How often a thread was interrupted, for how long in all, and what an interruption costs besides, in
  /// nanoseconds.
  uint64_t count, time, cost;
  /// The functions of the sample that the helper makes.
  uint64_t addresses[SCROLLTRACE_MOST_FUNCTIONS];
  system_sampler system;
};

/// The thread behind another in the list of all, or its first one. A signal handler may call it.
scrolltrace_sampled_thread *scrolltrace_next_thread(const scrolltrace_sampled_thread *thread);

// ---- What each system has its own way to do ---------------------------------------------------------

/// Gets a sampler ready for a recording, and says what is in the way.
scrolltrace_sampler_problem scrolltrace_prepare_sampler(scrolltrace_sampler *sampler);

/// The end of the calling thread's stack, or 0 if unknown.
uint64_t scrolltrace_end_of_stack(void);

/// Gets the calling thread ready to be looked at, with the clock of its samples.
void scrolltrace_prepare_thread(scrolltrace_sampled_thread *thread, clockid_t clock);

/// Gives back what `scrolltrace_prepare_thread` took.
void scrolltrace_release_thread(scrolltrace_sampled_thread *thread);

/// Waits until the helper thread is woken, if `sleeps` still says that it sleeps.
void scrolltrace_sleep(scrolltrace_sampler *sampler);

/// Wakes the helper thread, which sleeps or is about to.
void scrolltrace_wake(scrolltrace_sampler *sampler);

#endif
#endif
