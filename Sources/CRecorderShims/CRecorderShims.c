#define _GNU_SOURCE
#include "CRecorderShims.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#endif
#if defined(__x86_64__)
#include <cpuid.h>
#endif

uint64_t scrolltrace_no_writer[1] = {1};
uint64_t scrolltrace_inside[1] = {1};
SCROLLTRACE_TLS void *scrolltrace_current_writer = scrolltrace_no_writer;

#if defined(__linux__)
/// Whether the kernel keeps time by the counter called `name`.
static bool keeps_time_by(const char *name) {
  int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                  O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char text[32];
  ssize_t count = read(file, text, sizeof text);
  close(file);
  size_t length = strlen(name);
  return count == (ssize_t)length + 1 && memcmp(text, name, length) == 0;
}
#endif

bool scrolltrace_ticks_are_steady(void) {
#if defined(__APPLE__) && defined(__aarch64__)
  return true;
#elif defined(__linux__) && defined(__aarch64__)
  return keeps_time_by("arch_sys_counter");
#elif defined(__linux__) && defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  // Bit 8 of leaf 0x80000007: the counter runs at one pace in all states of power.
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1) && keeps_time_by("tsc");
#else
  return false;
#endif
}

uint64_t scrolltrace_thread_id(void) {
#if defined(__APPLE__)
  uint64_t id = 0;
  pthread_threadid_np(NULL, &id);
  return id;
#else
  return (uint64_t)syscall(SYS_gettid);
#endif
}

bool scrolltrace_is_main_thread(void) {
#if defined(__APPLE__)
  return pthread_main_np() != 0;
#else
  return syscall(SYS_gettid) == getpid();
#endif
}

int scrolltrace_create_file(const char *path) {
  const int file = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_RDWR, 0600);
#if defined(F_SETPROTECTIONCLASS)
  // Class D: the pages of a mapped file must not vanish while the device is locked, nor be out of reach
  // before it is unlocked for the first time. A volume without classes refuses, which is as good.
  if (file >= 0) fcntl(file, F_SETPROTECTIONCLASS, 4);
#endif
  return file;
}

void scrolltrace_thread_name(char *buffer, unsigned long size) {
  if (size == 0) return;
  buffer[0] = 0;
  pthread_getname_np(pthread_self(), buffer, size);
}

const char *scrolltrace_process_name(void) {
#if defined(__APPLE__)
  return getprogname();
#else
  return program_invocation_short_name;
#endif
}

void scrolltrace_name_thread(const void *name) {
#if defined(__APPLE__)
  pthread_setname_np(name);
#else
  pthread_setname_np(pthread_self(), name);
#endif
}

int scrolltrace_populate(void *start, unsigned long size) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
#if defined(__linux__)
  const uintptr_t first = (uintptr_t)start & ~(page - 1);
  const uintptr_t end = ((uintptr_t)start + size + page - 1) & ~(page - 1);
  // MADV_POPULATE_WRITE, which headers may not know yet: Linux 5.14.
  if (madvise((void *)first, end - first, 23) == 0) return 0;
  if (errno != EINVAL) return errno;
#endif
  // The bytes are nobody's yet; adding nothing leaves them as they are.
  for (uintptr_t at = (uintptr_t)start; at < (uintptr_t)start + size; at = (at | (page - 1)) + 1)
    scrolltrace_add((void *)at, 0);
  return 0;
}

void scrolltrace_empty(void *start, unsigned long size) {
#if defined(__linux__)
  madvise(start, size, MADV_DONTNEED);
#else
  mmap(start, size, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANON, -1, 0);
#endif
}

void scrolltrace_fence_all_threads(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#if defined(__linux__) && !defined(__ANDROID__)
  // MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED and MEMBARRIER_CMD_PRIVATE_EXPEDITED: Linux 4.14.
  // Android may kill who asks.
  if (syscall(SYS_membarrier, 16, 0) == 0 && syscall(SYS_membarrier, 8, 0) == 0) return;
#endif
  // No processor keeps a store to itself for that long.
  usleep(1000);
}

void scrolltrace_set_quality_of_service(void *attributes) {
#ifdef __APPLE__
  pthread_attr_set_qos_class_np(attributes, QOS_CLASS_USER_INITIATED, 0);
#else
  (void)attributes;
#endif
}
