#define _GNU_SOURCE
#include "CRecorderShims.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

static int64_t thread_cpu_time(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return -1;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

#if defined(__linux__)
/// The calling thread's `schedstat`, which a thread shares with no other; -1 where there is none, -2
/// before the first reading.
static SCROLLTRACE_TLS int schedstat_file = -2;
/// The thread's ready time at the last reading: what is corrected never runs backwards.
static SCROLLTRACE_TLS int64_t last_ready = 0;
/// The last number of times the thread had lost its core or given it away, before its ready time was read,
/// or -1; and what the file said then. The kernel counts ready time when it gives the thread a core again.
static SCROLLTRACE_TLS int64_t known_switches = -1;
static SCROLLTRACE_TLS int64_t known_ready = -1;

/// The number at `*text`, which is moved behind it and the space after it; -1 where there is none.
static int64_t next_number(const char **text) {
  const char *next = *text;
  int64_t number = 0;
  if (*next < '0' || *next > '9') return -1;
  for (; *next >= '0' && *next <= '9'; next++) {
    if (__builtin_mul_overflow(number, 10, &number)) return -1;
    if (__builtin_add_overflow(number, *next - '0', &number)) return -1;
  }
  *text = *next == ' ' ? next + 1 : next;
  return number;
}

/// The time the calling thread was ready to run and had no core; -1 where the kernel keeps no such
/// count. The line is: time on a core, time without one, how often it was given one.
static int64_t thread_ready_time(void) {
  if (schedstat_file == -2)
    schedstat_file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (schedstat_file < 0) return -1;
  char line[80];
  const ssize_t count = pread(schedstat_file, line, sizeof line - 1, 0);
  if (count <= 0) return -1;
  line[count] = 0;
  const char *next = line;
  if (next_number(&next) < 0) return -1;
  const int64_t ready = next_number(&next);
  // A thread that reads this was given a core: a kernel that counts nothing writes zeros.
  return next_number(&next) > 0 ? ready : -1;
}

/// The same without the file, whose reading takes longer than all else, if the thread has kept its core.
static int64_t thread_ready_time_after(const scrolltrace_thread_times *times) {
  if (times->waits < 0) return thread_ready_time();
  const int64_t switches = times->waits + times->preemptions;
  if (switches != known_switches) {
    known_ready = thread_ready_time();
    known_switches = switches;
  }
  return known_ready;
}

static void read_usage(scrolltrace_thread_times *times) {
  struct rusage usage;
  if (getrusage(RUSAGE_THREAD, &usage) != 0) return;
  // No thread comes this far without a page of its own: a system that counts nothing says zeros.
  if (usage.ru_minflt == 0 && usage.ru_majflt == 0 && usage.ru_nivcsw == 0 && usage.ru_nvcsw == 0)
    return;
  times->preemptions = usage.ru_nivcsw;
  times->waits = usage.ru_nvcsw;
  times->faults = usage.ru_minflt;
  // Pages of 4 KB that were read, by faults or by calls; the system counts blocks of 512 bytes.
  const long read = usage.ru_inblock / 8;
  times->disk_faults = read > usage.ru_majflt ? read : usage.ru_majflt;
}

/// How long a thread without a core waited while it read for `elapsed` ns: readings themselves take
/// less than the rest.
static int64_t delay_of_reading(int64_t elapsed) {
  const int64_t usual = 5000;
  return elapsed > 4 * usual ? elapsed - usual : 0;
}
#endif

void scrolltrace_read_thread_times(scrolltrace_thread_times *times) {
  const int error = errno;
  *times = (scrolltrace_thread_times){-1, -1, -1, -1, -1, -1};
#if defined(__linux__)
  const uint64_t start = scrolltrace_clock(CLOCK_MONOTONIC);
#endif
  times->cpu = thread_cpu_time();
#if defined(__linux__)
  read_usage(times);
  times->ready = thread_ready_time_after(times);
  // A thread that loses its core between the frame's time and the reading has another count than at
  // that time.
  if (times->ready >= 0) {
    const int64_t delay = delay_of_reading((int64_t)(scrolltrace_clock(CLOCK_MONOTONIC) - start));
    times->ready -= delay;
    if (times->ready < last_ready) times->ready = last_ready;
    last_ready = times->ready;
  }
#endif
  errno = error;
}

void scrolltrace_forget_ready_time(void) {
#if defined(__linux__)
  known_switches = -1;
#endif
}

void scrolltrace_close_thread_times(void) {
#if defined(__linux__)
  scrolltrace_forget_ready_time();
  if (schedstat_file >= 0) {
    const int error = errno;
    close(schedstat_file);
    errno = error;
  }
  schedstat_file = -2;
#endif
}
