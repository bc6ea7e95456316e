// Samples the stacks of threads that make frames. A helper thread looks whether a thread runs: if it does,
// a signal lets it walk its own stack; if it waits, the helper walks the stack from outside, so that no
// waiting call is interrupted.

#ifndef SCROLLTRACE_STACK_SAMPLER_H
#define SCROLLTRACE_STACK_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#pragma clang assume_nonnull begin

/// Whose stacks are sampled for one recording.
typedef struct scrolltrace_sampler scrolltrace_sampler;

/// A thread that makes frames.
typedef struct scrolltrace_sampled_thread scrolltrace_sampled_thread;

/// The most functions of a stack that are kept.
enum { SCROLLTRACE_MOST_FUNCTIONS = 512 };

/// A stack, innermost function first.
typedef struct scrolltrace_stack_sample {
  /// When it was taken, in nanoseconds.
  uint64_t time;
  /// Addresses in the process: of callers, one inside the call.
  const uint64_t *_Nullable addresses;
  uint32_t count;
  /// Whether the outermost function is missing.
  bool is_cut;
} scrolltrace_stack_sample;

/// A module of the process.
typedef struct scrolltrace_module {
  uint64_t start, end;
  /// What is added to the module's own addresses.
  uint64_t bias;
  /// The address of the module's `.eh_frame_hdr`, or 0.
  uint64_t frame_header;
  uint32_t build_id_length;
  /// The build ID; without one, `eh_frame` and a hash of `.eh_frame_hdr`.
  uint8_t build_id[64];
  char path[1024];
} scrolltrace_module;

/// Why stacks cannot be sampled.
typedef enum scrolltrace_sampler_problem {
  SCROLLTRACE_SAMPLER_FINE,
  SCROLLTRACE_SAMPLER_UNSUPPORTED,
  /// The host handles the signal itself.
  SCROLLTRACE_SAMPLER_SIGNAL_TAKEN,
  SCROLLTRACE_SAMPLER_NO_MEMORY,
} scrolltrace_sampler_problem;

/// Creates a sampler, whose times are of `clock`. On Linux, the first one installs a handler for SIGURG,
/// which stays.
scrolltrace_sampler *_Nullable scrolltrace_make_sampler(
    clockid_t clock, scrolltrace_sampler_problem *problem);

/// Gives back a sampler whose helper thread has ended.
void scrolltrace_free_sampler(scrolltrace_sampler *sampler);

/// Lets the calling thread, which makes its first frame, be sampled; NULL without memory.
scrolltrace_sampled_thread *_Nullable scrolltrace_sample_thread(scrolltrace_sampler *sampler);

/// Samples the calling thread no longer, which ends.
void scrolltrace_forget_sampled_thread(
    scrolltrace_sampler *sampler, scrolltrace_sampled_thread *thread);

/// A frame of `surface` begins at `start` on the calling thread; it is late from `deadline` on. `interval`
/// is the time between two refreshes of the surface, at most a second, or 0 if unknown.
void scrolltrace_sampled_frame_begins(
    scrolltrace_sampled_thread *thread, const void *surface, uint64_t start, uint64_t deadline,
    uint64_t interval);

/// The frame that began at `start` has ended at `end`.
void scrolltrace_sampled_frame_ends(
    scrolltrace_sampled_thread *thread, uint64_t start, uint64_t end);

/// Whether the calling thread works between two frames: then it is looked at there too if it waits, which is
/// not for its next event.
void scrolltrace_set_sampled_work(scrolltrace_sampled_thread *thread, bool works);

/// Content moves since `start`, or no longer if that is 0. While it does, threads are also looked at between
/// their frames.
void scrolltrace_set_sampled_motion(scrolltrace_sampler *sampler, uint64_t start);

// ---- For the helper thread --------------------------------------------------------------------------

/// What the frames of a thread are doing.
typedef struct scrolltrace_sampled_frame {
  /// Odd while a frame is open, even between two; another number for each.
  uint64_t number;
  /// When the open frame is late, or when the next one is, which has not begun.
  uint64_t deadline;
  /// The time between two refreshes, or 0 if unknown.
  uint64_t interval;
  /// The number of the frame that ended last, and when.
  uint64_t ended_number, ended_time;
} scrolltrace_sampled_frame;

/// The sampler's thread behind another, or its first one.
scrolltrace_sampled_thread *_Nullable scrolltrace_next_sampled_thread(
    scrolltrace_sampler *sampler, scrolltrace_sampled_thread *_Nullable thread);

/// The thread's number in the system.
uint32_t scrolltrace_sampled_thread_id(const scrolltrace_sampled_thread *thread);

/// Reads what the thread's frames are doing.
scrolltrace_sampled_frame scrolltrace_read_sampled_frame(const scrolltrace_sampled_thread *thread);

/// Takes the sample that the thread has made since it was asked, if it has; the sample is valid until the
/// thread is looked at. It is taken once.
bool scrolltrace_take_sample(
    scrolltrace_sampled_thread *thread, scrolltrace_stack_sample *sample);

/// Since when content moves, or 0.
uint64_t scrolltrace_read_sampled_motion(const scrolltrace_sampler *sampler);

/// Looks at the thread: asks it for a sample if it runs, or makes one if it waits, which `*sample`
/// becomes; whether there is one. Between frames, a thread that waits for its next event is let be: one that
/// is not said to work, in a call in which threads wait for events.
bool scrolltrace_look(
    scrolltrace_sampler *sampler, scrolltrace_sampled_thread *thread, bool is_between_frames,
    scrolltrace_stack_sample *sample);

/// Whether the host has installed a handler of its own for the signal since, so that nothing is sampled
/// any more.
bool scrolltrace_sampler_is_refused(const scrolltrace_sampler *sampler);

/// Sleeps until `time` of CLOCK_MONOTONIC, or until the sampler stops.
void scrolltrace_sleep_until(scrolltrace_sampler *sampler, uint64_t time);

/// Sleeps until a frame, a motion or work between frames begins, or the sampler stops.
void scrolltrace_wait_for_frame(scrolltrace_sampler *sampler);

/// Lets the helper thread end.
void scrolltrace_stop_sampler(scrolltrace_sampler *sampler);

bool scrolltrace_sampler_stops(const scrolltrace_sampler *sampler);

/// What sampling has cost so far.
typedef struct scrolltrace_sampling_cost {
  /// How many signals were sent.
  uint64_t signals;
  /// The time that they took of the sampled threads, and of the calling thread, which samples, on a core,
  /// both in nanoseconds.
  uint64_t time, own_time;
} scrolltrace_sampling_cost;

/// Measures what a signal costs besides its handler, with signals to the calling thread.
void scrolltrace_measure_signal(scrolltrace_sampler *sampler);

/// What sampling has cost so far.
scrolltrace_sampling_cost scrolltrace_read_sampling_cost(const scrolltrace_sampler *sampler);

/// Updates what signal handlers know of the modules, where they cannot ask the loader.
void scrolltrace_refresh_modules(scrolltrace_sampler *sampler);

/// Lists the modules of the process. The list is valid until the next call with the sampler.
const scrolltrace_module *_Nullable scrolltrace_list_modules(
    scrolltrace_sampler *sampler, uint32_t *count);

#pragma clang assume_nonnull end

#endif
