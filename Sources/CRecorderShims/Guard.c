// A store to a mapped page whose file has become shorter raises SIGBUS, and so does one to a page that
// the disk has no room for. As in systemd's journal and in libwayland, a handler puts empty memory in
// the page's place, and the recording ends.

#define _GNU_SOURCE
#include "CRecorderShims.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <TargetConditionals.h>
// A watch and a television have no handlers of Mach exceptions.
#if !TARGET_OS_WATCH && !TARGET_OS_TV
#define HAS_EXCEPTION_PORTS 1
#include <mach/mach.h>
#endif
#endif

struct scrolltrace_mapping {
  // Never changes once the mapping is in the list; a mapping is never freed, only used again.
  scrolltrace_mapping *next;
  uintptr_t start;
  // 0 while nothing is guarded.
  uintptr_t size;
  uint64_t *mode;
  uint64_t cut;
  // Whether the entry is taken.
  uint32_t taken;
};

static scrolltrace_mapping *first;
static struct sigaction previous;
static uintptr_t page_size;

/// Replaces the page at `address` if it is of a guarded mapping; whether it was.
static bool replace_page(uintptr_t address) {
  scrolltrace_mapping *mapping = __atomic_load_n(&first, __ATOMIC_ACQUIRE);
  for (; mapping; mapping = mapping->next) {
    const uintptr_t size = __atomic_load_n(&mapping->size, __ATOMIC_ACQUIRE);
    if (address - mapping->start >= size) continue;
    void *page = (void *)(address & ~(page_size - 1));
    const int flags = MAP_FIXED | MAP_PRIVATE | MAP_ANON;
    if (mmap(page, page_size, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) return false;
    uint64_t mode = __atomic_load_n(mapping->mode, __ATOMIC_RELAXED);
    while (mode < mapping->cut
           && !__atomic_compare_exchange_n(mapping->mode, &mode, mapping->cut, true,
                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return true;
  }
  return false;
}

static void handle(int number, siginfo_t *info, void *context) {
  const int error = errno;
  // Greater than 0: the system has raised it, for an address.
  const bool is_fault = info->si_code > 0;
  if (is_fault && replace_page((uintptr_t)info->si_addr)) {
    errno = error;
    return;
  }
  errno = error;
  if (previous.sa_flags & SA_SIGINFO) return previous.sa_sigaction(number, info, context);
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
    return previous.sa_handler(number);
  if (!is_fault && previous.sa_handler == SIG_IGN) return;
  // The instruction fails again, or the signal comes again, and does what it does without this handler.
  signal(number, SIG_DFL);
  if (!is_fault) raise(number);
}

static void install(void) {
  page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
  // Known before the handler can need it.
  sigaction(SIGBUS, NULL, &previous);
  struct sigaction action = {0};
  action.sa_sigaction = handle;
  action.sa_mask = previous.sa_mask;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigaction(SIGBUS, &action, NULL);
}

scrolltrace_mapping *scrolltrace_guard(
    void *start, unsigned long size, uint64_t *mode, uint64_t cut) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  scrolltrace_mapping *mapping = __atomic_load_n(&first, __ATOMIC_ACQUIRE);
  for (; mapping; mapping = mapping->next) {
    uint32_t taken = 0;
    if (__atomic_compare_exchange_n(
            &mapping->taken, &taken, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      break;
  }
  const bool is_new = !mapping;
  if (is_new) {
    mapping = calloc(1, sizeof *mapping);
    if (!mapping) return NULL;
    mapping->taken = 1;
  }
  mapping->mode = mode;
  mapping->cut = cut;
  mapping->start = (uintptr_t)start;
  __atomic_store_n(&mapping->size, size, __ATOMIC_RELEASE);
  if (!is_new) return mapping;
  mapping->next = __atomic_load_n(&first, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(
      &first, &mapping->next, mapping, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  return mapping;
}

void scrolltrace_unguard(scrolltrace_mapping *mapping) {
  __atomic_store_n(&mapping->size, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n(&mapping->taken, 0, __ATOMIC_RELEASE);
}

bool scrolltrace_others_see_faults(void) {
#ifdef HAS_EXCEPTION_PORTS
  exception_mask_t masks[EXC_TYPES_COUNT];
  mach_port_t ports[EXC_TYPES_COUNT];
  exception_behavior_t behaviors[EXC_TYPES_COUNT];
  thread_state_flavor_t flavors[EXC_TYPES_COUNT];
  mach_msg_type_number_t count = EXC_TYPES_COUNT;
  bool is_found = false;
  if (task_get_exception_ports(
          mach_task_self(), EXC_MASK_BAD_ACCESS, masks, &count, ports, behaviors, flavors)
      != KERN_SUCCESS)
    return false;
  for (mach_msg_type_number_t index = 0; index < count; index++) {
    if (ports[index] == MACH_PORT_NULL) continue;
    is_found = true;
    mach_port_deallocate(mach_task_self(), ports[index]);
  }
  return is_found;
#else
  return false;
#endif
}
