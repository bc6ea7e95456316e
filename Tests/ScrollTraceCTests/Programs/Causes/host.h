// A host that scrolls by a timer at 60 Hz, and measures itself what the report is compared with.
#ifndef HOST_H
#define HOST_H
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "scrolltrace.h"

static const int64_t refresh = 16666667;
static scrolltrace_recorder *recorder;
static FILE *truth;
static int schedstat = -1;

static inline int64_t clock_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
static inline int64_t now_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
static inline int64_t cpu_ns(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

static inline void sleep_until(int64_t t) {
  struct timespec at = {t / 1000000000, t % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != 0) {
  }
}

// The main thread's time in the run queue: the second field of its schedstat.
static inline int64_t ready_ns(void) {
  char text[96];
  const ssize_t n = pread(schedstat, text, sizeof text - 1, 0);
  if (n <= 0) return -1;
  text[n] = 0;
  long long ran, ready;
  return sscanf(text, "%lld %lld", &ran, &ready) == 2 ? ready : -1;
}

// A fixed amount of computing: the same number of steps whatever else the machine does.
static inline uint64_t compute(uint64_t steps) {
  uint64_t x = 88172645463325252u;
  for (uint64_t i = 0; i < steps; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}
static volatile uint64_t sink;
#ifndef STEPS_PER_MS
#define STEPS_PER_MS 600000
#endif
static inline void work_us(int64_t us) { sink += compute((uint64_t)us * STEPS_PER_MS / 1000); }

static bool bare;  // count nothing but wall time, to see what the recorder's own readings do
static int32_t thread_time = SCROLLTRACE_THREAD_TIME_DEFAULT;

struct counts {
  int64_t wall, cpu, ready;
  struct rusage use;
};
// Wall time is read next to the commit: a host that loses its core between two readings loses it outside.
static inline struct counts count(bool is_after) {
  struct counts c;
  memset(&c, 0, sizeof c);
  if (is_after) c.wall = now_ns();
  if (!bare) {
    c.cpu = cpu_ns();
    c.ready = ready_ns();
    getrusage(RUSAGE_THREAD, &c.use);
  }
  if (!is_after) c.wall = now_ns();
  return c;
}

// Opens the recording argv[1] and the truth beside it.
static void open_host(char **argv) {
  scrolltrace_options options = SCROLLTRACE_OPTIONS_INIT;
  options.clock = SCROLLTRACE_CLOCK_MONOTONIC;
  options.replaces_existing_file = true;
  options.thread_time = thread_time;
  scrolltrace_error error;
  if (scrolltrace_open(argv[1], &options, &recorder, &error) != SCROLLTRACE_OK) {
    fprintf(stderr, "%s\n", error.message);
    exit(1);
  }
  char path[4096];
  snprintf(path, sizeof path, "%s.truth.csv", argv[1]);
  truth = fopen(path, "w");
  schedstat = open("/proc/thread-self/schedstat", O_RDONLY);
  fprintf(truth, "frame,due,start,end,cpu,ready,sleepReady,waits,preemptions,diskFaults,note\n");
}

static int64_t note_ns;  // what a program adds to a frame's row

// Scrolls for `frames` refreshes; `draw` is the work of a commit, `late` is called before a commit.
static void scroll(int frames, void (*draw)(const scrolltrace_frame *, int),
                   void (*between)(int)) {
  const int64_t begin = now_ns() + 5000000;
  const int64_t end = begin + frames * refresh;
  scrolltrace_interaction drag
      = scrolltrace_interaction_begin(recorder, SCROLLTRACE_INTERACTION_DRAG, NULL);
  int64_t due = begin;
  for (int i = 0; due < end; i++) {
    const int64_t asleep = bare ? 0 : ready_ns();
    if (due > now_ns()) sleep_until(due);
    note_ns = 0;
    if (between) between(i);
    scrolltrace_tick tick = {due, due + refresh, SCROLLTRACE_UNKNOWN, refresh};
    const struct counts a = count(false);
    scrolltrace_frame frame = scrolltrace_frame_begin(recorder, NULL, SCROLLTRACE_NO_ID, &tick);
    const uint64_t id = frame.id;
    draw(&frame, i);
    scrolltrace_frame_end(&frame);
    const struct counts b = count(true);
    fprintf(truth, "%" PRIu64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64
            ",%" PRId64 ",%ld,%ld,%ld,%" PRId64 "\n",
            id, due, a.wall, b.wall, b.cpu - a.cpu, b.ready - a.ready, a.ready - asleep,
            b.use.ru_nvcsw - a.use.ru_nvcsw, b.use.ru_nivcsw - a.use.ru_nivcsw,
            b.use.ru_majflt - a.use.ru_majflt, note_ns);
    due += refresh;
    while (due + refresh <= b.wall) due += refresh;  // refreshes that have passed are gone
  }
  scrolltrace_interaction_end(&drag);
}

static int close_host(void) {
  fclose(truth);
  scrolltrace_error error;
  if (scrolltrace_finish(recorder, &error) != SCROLLTRACE_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  return 0;
}
#endif
