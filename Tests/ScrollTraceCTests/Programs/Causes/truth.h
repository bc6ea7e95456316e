// Measures a host's frames beside the recorder. To be included before the host's source; the table that
// the environment's TRUTH names has the first columns of host.h.
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "scrolltrace.h"

static struct {
  FILE *table;
  int schedstat;
  int64_t begin, wall, cpu, ready;
} truth;

static inline int64_t truth_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// The thread's time in the run queue: the second field of its schedstat.
static inline int64_t truth_ready(void) {
  char text[96];
  const ssize_t n = pread(truth.schedstat, text, sizeof text - 1, 0);
  text[n > 0 ? n : 0] = 0;
  long long ran = 0, ready = 0;
  return sscanf(text, "%lld %lld", &ran, &ready) == 2 ? ready : 0;
}

static inline scrolltrace_frame truth_begin(
    scrolltrace_recorder *recorder, scrolltrace_surface *surface, uint64_t id,
    const scrolltrace_tick *tick) {
  if (truth.table == NULL) {
    truth.table = fopen(getenv("TRUTH"), "w");
    truth.schedstat = open("/proc/thread-self/schedstat", O_RDONLY);
    if (truth.table == NULL || truth.schedstat < 0) exit(1);
    fprintf(truth.table, "frame,due,start,end,cpu,ready\n");
  }
  truth.begin = tick->begin;
  truth.ready = truth_ready();
  truth.cpu = truth_clock(CLOCK_THREAD_CPUTIME_ID);
  truth.wall = truth_clock(CLOCK_MONOTONIC);
  return scrolltrace_frame_begin(recorder, surface, id, tick);
}

static inline void truth_end_after(scrolltrace_frame *frame, scrolltrace_span *phase) {
  const uint64_t id = frame->id;
  scrolltrace_frame_end_after(frame, phase);
  const int64_t wall = truth_clock(CLOCK_MONOTONIC);
  const int64_t cpu = truth_clock(CLOCK_THREAD_CPUTIME_ID) - truth.cpu;
  fprintf(truth.table, "%" PRIu64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n",
          id, truth.begin, truth.wall, wall, cpu, truth_ready() - truth.ready);
  fflush(truth.table);
}

#define scrolltrace_frame_begin truth_begin
#define scrolltrace_frame_end_after truth_end_after
