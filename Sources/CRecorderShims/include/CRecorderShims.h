// What Swift cannot say: thread-local storage, ordered stores into raw memory, and the variadic or
// hidden functions of the C library. Everything on the hot path is inline.

#ifndef SCROLLTRACE_RECORDER_SHIMS_H
#define SCROLLTRACE_RECORDER_SHIMS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "Checksum.h"
#include "FramePointers.h"
#include "StackSampler.h"

#pragma clang assume_nonnull begin

#if defined(__linux__) && !defined(__ANDROID__)
// One pointer-sized variable fits the static TLS reserve, so that a library that is loaded late
// gets the one-instruction access too.
#define SCROLLTRACE_TLS _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define SCROLLTRACE_TLS _Thread_local
#endif

/// The writer this thread used last; before its first event one of no recorder, so that nobody has
/// to ask whether there is one. While the thread is inside the recorder: `scrolltrace_inside`.
extern SCROLLTRACE_TLS void *scrolltrace_current_writer;

/// A writer of no recorder: its first word is the address of none, and not NULL either.
extern uint64_t scrolltrace_no_writer[1];

/// Another one, which says that the thread is inside the recorder: a signal handler finds no writer to
/// use, and whoever ends the recording waits until the thread has left.
extern uint64_t scrolltrace_inside[1];

static inline void *scrolltrace_get_writer(void) {
  return __atomic_load_n(&scrolltrace_current_writer, __ATOMIC_RELAXED);
}

/// Enters the recorder. What is read afterwards is read afterwards by a signal handler's order too.
static inline void scrolltrace_enter(void) {
  __atomic_store_n(&scrolltrace_current_writer, (void *)scrolltrace_inside, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/// Leaves the recorder, with the writer to find next; NULL for none.
static inline void scrolltrace_leave(void *_Nullable writer) {
  __atomic_store_n(
      &scrolltrace_current_writer, writer ? writer : scrolltrace_no_writer, __ATOMIC_RELEASE);
}

/// The writer while the thread is inside the recorder.
static inline const void *scrolltrace_inside_writer(void) { return scrolltrace_inside; }

/// Sets the writer; NULL for none.
static inline void scrolltrace_set_writer(void *_Nullable writer) { scrolltrace_leave(writer); }

/// The address of the calling thread's writer, to look at from other threads while the thread lives.
static inline void *scrolltrace_writer_address(void) { return &scrolltrace_current_writer; }

/// Stores `value` so that everything stored before is seen by whoever sees `value`.
static inline void scrolltrace_store_release(void *address, uint64_t value) {
  __atomic_store_n((uint64_t *)address, value, __ATOMIC_RELEASE);
}

static inline uint64_t scrolltrace_load_acquire(const void *address) {
  return __atomic_load_n((const uint64_t *)address, __ATOMIC_ACQUIRE);
}

/// A word that another thread may look at or replace at the same time.
static inline uint64_t scrolltrace_load(const void *address) {
  return __atomic_load_n((const uint64_t *)address, __ATOMIC_RELAXED);
}

static inline void scrolltrace_store(void *address, uint64_t value) {
  __atomic_store_n((uint64_t *)address, value, __ATOMIC_RELAXED);
}

/// Keeps stores and loads before it before those behind it.
static inline void scrolltrace_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

/// Adds `value` and returns the sum.
static inline uint64_t scrolltrace_add(void *address, uint64_t value) {
  return __atomic_add_fetch((uint64_t *)address, value, __ATOMIC_RELAXED);
}

/// Stores `value` in the one order of all threads, and returns what was there.
static inline uint64_t scrolltrace_exchange(void *address, uint64_t value) {
  return __atomic_exchange_n((uint64_t *)address, value, __ATOMIC_SEQ_CST);
}

/// Replaces `expected` by `value`; whether it was there.
static inline bool scrolltrace_replace(void *address, uint64_t expected, uint64_t value) {
  return __atomic_compare_exchange_n(
      (uint64_t *)address, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

// Whoever copies a chunk looks at words that may be stored at the same time, and finds out afterwards
// whether they were: no sanitizer can know that.
#if __has_attribute(disable_sanitizer_instrumentation)
#define SCROLLTRACE_UNSANITIZED __attribute__((disable_sanitizer_instrumentation, noinline))
#else
#define SCROLLTRACE_UNSANITIZED
#endif

/// A word that another thread may be storing; everything after it is read later.
SCROLLTRACE_UNSANITIZED
static inline uint64_t scrolltrace_peek(const void *address) {
  return __atomic_load_n((const uint64_t *)address, __ATOMIC_ACQUIRE);
}

/// Copies words that others may be writing, from the first to the last, each after the one before it.
SCROLLTRACE_UNSANITIZED
static inline void scrolltrace_copy_words(
    void *target, const void *source, unsigned long count) {
  for (unsigned long index = 0; index < count; index++)
    ((uint64_t *)target)[index] =
        __atomic_load_n((const uint64_t *)source + index, __ATOMIC_ACQUIRE);
}

/// Nanoseconds of a clock of the C library.
static inline uint64_t scrolltrace_clock(clockid_t clock) {
#if defined(__APPLE__)
  return clock_gettime_nsec_np(clock);
#else
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

/// The processor's tick counter, unordered with the instructions around it; 0 where there is none.
static inline uint64_t scrolltrace_ticks(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return 0;
#endif
}

/// Whether the tick counter is the same on all cores and never changes its pace, so that the system
/// itself keeps time by it.
bool scrolltrace_ticks_are_steady(void);

/// The system's number of the calling thread.
uint64_t scrolltrace_thread_id(void);

/// Whether the calling thread is the one the process began with.
bool scrolltrace_is_main_thread(void);

/// What the system has counted for a thread since it began; -1 where it does not say.
typedef struct scrolltrace_thread_times {
  /// Nanoseconds on a core, and ready to run without one.
  int64_t cpu, ready;
  /// How often the thread lost its core, and gave it away to wait.
  int64_t preemptions, waits;
  /// Page faults without input, and pages read from disk.
  int64_t faults, disk_faults;
} scrolltrace_thread_times;

/// Reads what the system has counted for the calling thread, the time on a core first.
/// The thread's first reading opens a file. Leaves `errno` alone.
void scrolltrace_read_thread_times(scrolltrace_thread_times *times);

/// Lets the calling thread's next reading ask the system for all, also if the thread has kept its core.
void scrolltrace_forget_ready_time(void);

/// Closes the file of the calling thread's readings; the next one opens it again.
void scrolltrace_close_thread_times(void);

/// Creates a file that must not exist, never through a symbolic link, for its owner only; -1 and
/// errno where that fails.
int scrolltrace_create_file(const char *path);

/// The name of the calling thread, or of the process where it has none of its own.
void scrolltrace_thread_name(char *buffer, unsigned long size);

/// Gives threads with these attributes, a `pthread_attr_t`, a quality of service where there is one, so that
/// the system does not combine their timers with others.
void scrolltrace_set_quality_of_service(void *attributes);

/// Names the calling thread.
void scrolltrace_name_thread(const void *name);

/// Makes the pages of `size` bytes at `start`, which nobody uses yet, present and writable; 0 or an
/// error number where the system has none to give.
int scrolltrace_populate(void *start, unsigned long size);

/// Returns once every other thread of the process has passed a full barrier.
void scrolltrace_fence_all_threads(void);

/// Gives the memory of `size` bytes at `start` back to the system; the pages are empty afterwards.
void scrolltrace_empty(void *start, unsigned long size);

/// A mapped file that others may cut while threads store into it.
typedef struct scrolltrace_mapping scrolltrace_mapping;

/// Guards `size` bytes at `start`: where the file has lost a page, a store or load finds empty memory
/// instead of killing the process, and `*mode` becomes `cut` if it is less. NULL where the system has no
/// memory for it.
///
/// The first call installs a handler for SIGBUS, which passes on all that is not about such a mapping.
scrolltrace_mapping *_Nullable scrolltrace_guard(
    void *start, unsigned long size, uint64_t *mode, uint64_t cut);

/// Whether a failing store is first seen by a handler of Mach exceptions, such as a crash reporter's or a
/// debugger's, which takes it for a crash, and not by the handler of `scrolltrace_guard`.
bool scrolltrace_others_see_faults(void);

/// Guards it no longer.
void scrolltrace_unguard(scrolltrace_mapping *mapping);

/// The name of the running program, without its folder.
const char *scrolltrace_process_name(void);

#pragma clang assume_nonnull end

#endif
