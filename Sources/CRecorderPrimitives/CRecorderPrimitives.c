#define _GNU_SOURCE
#include "CRecorderPrimitives.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

SCROLLTRACE_TLS void *scrolltrace_current_writer;

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
  return open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_RDWR, 0600);
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
