#define _GNU_SOURCE
#include "Sampler.h"

#ifdef SCROLLTRACE_HAS_STACKS

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include "CRecorderShims.h"

enum {
  /// How much below the stack pointer a signal leaves as it was. The registers that a function takes back
  /// before it returns are there, by its call frame information.
#if defined(__x86_64__)
  BELOW_STACK = 128,
#else
  BELOW_STACK = 0,
#endif
};

/// What asks a running thread for its stack: a signal that does nothing where nobody handles it. One that
/// is pending when the host calls `exec` reaches the next program, which SIGPROF would end. Of such signals,
/// SIGCHLD and SIGWINCH tell hosts and terminal programs what they wait for, and SIGCONT takes back a stop.
/// SIGURG comes only for sockets whose owner asks for it, debuggers let it pass, and Go's runtime uses it in
/// the same way.
enum { SAMPLE_SIGNAL = SIGURG };

/// Whose turn it is with a thread's sample.
enum { IDLE, ASKED, MADE };

// ---- In the sampled thread --------------------------------------------------------------------------

static void read_registers(const ucontext_t *context, registers *registers) {
  registers->known = ((uint64_t)1 << REGISTER_COUNT) - 1;
#if defined(__x86_64__)
  static const int order[] = {
    REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8, REG_R9, REG_R10,
    REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  for (unsigned number = 0; number < REGISTER_COUNT; number++)
    registers->value[number] = (uint64_t)context->uc_mcontext.gregs[order[number]];
  registers->pc = registers->value[RETURN_ADDRESS];
  registers->known &= ~((uint64_t)1 << RETURN_ADDRESS);
#else
  for (unsigned number = 0; number < 31; number++)
    registers->value[number] = context->uc_mcontext.regs[number];
  registers->value[STACK_POINTER] = context->uc_mcontext.sp;
  registers->pc = context->uc_mcontext.pc;
#endif
}

/// Walks the stack of the thread that the signal has interrupted.
static void walk_own_stack(scrolltrace_sampled_thread *thread, const ucontext_t *context) {
  registers registers;
  read_registers(context, &registers);
  const uint64_t sp = registers.value[STACK_POINTER];
  const uint64_t here = (uintptr_t)__builtin_frame_address(0);
  const uint64_t low = sp - BELOW_STACK;
  stack_memory stack = {low, thread->top, (const uint8_t *)(uintptr_t)low};
  // Another stack, of which nobody knows the end: a coroutine's, or a signal handler's. The part that
  // this handler uses itself lies below it.
  const bool is_other = sp >= thread->top || thread->top - sp > (uint64_t)1 << 32
      || (here < thread->top && here > sp);
  if (is_other) stack.top = low;
  system_thread *system = &thread->system;
  system->is_cut =
      scrolltrace_walk(
          &registers, stack, false, &system->scratch, system->addresses, SCROLLTRACE_MOST_FUNCTIONS,
          &system->count)
      != WALK_WHOLE;
}

static void handle(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
  const int error = errno;
  const pthread_t own = pthread_self();
  scrolltrace_sampled_thread *thread = NULL;
  while ((thread = scrolltrace_next_thread(thread))) {
    system_thread *system = &thread->system;
    if (__atomic_load_n(&system->turn, __ATOMIC_ACQUIRE) != ASKED || thread->thread != own) continue;
    system->time = scrolltrace_clock(system->clock);
    walk_own_stack(thread, context);
    scrolltrace_sampler *sampler = __atomic_load_n(&thread->sampler, __ATOMIC_ACQUIRE);
    const uint64_t time = scrolltrace_clock(system->clock) - system->time;
    if (sampler) __atomic_fetch_add(&sampler->time, time, __ATOMIC_RELAXED);
    __atomic_store_n(&system->turn, MADE, __ATOMIC_RELEASE);
  }
  errno = error;
}

/// Whether the process's handler for the signal is this one.
static bool is_installed(void) {
  struct sigaction action;
  return sigaction(SAMPLE_SIGNAL, NULL, &action) == 0 && action.sa_flags & SA_SIGINFO
      && action.sa_sigaction == handle;
}

static bool install(void) {
  struct sigaction before;
  if (sigaction(SAMPLE_SIGNAL, NULL, &before) != 0) return false;
  const bool is_free = !(before.sa_flags & SA_SIGINFO)
      && (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN);
  if (!is_free) return is_installed();
  struct sigaction action = {0};
  action.sa_sigaction = handle;
  sigfillset(&action.sa_mask);
  // Faults are never held back.
  const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
  for (unsigned index = 0; index < sizeof faults / sizeof *faults; index++)
    sigdelset(&action.sa_mask, faults[index]);
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  return sigaction(SAMPLE_SIGNAL, &action, NULL) == 0;
}

uint64_t scrolltrace_end_of_stack(void) {
  pthread_attr_t attributes;
  void *start = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  const int failed = pthread_attr_getstack(&attributes, &start, &size);
  pthread_attr_destroy(&attributes);
  return failed ? 0 : (uintptr_t)start + size;
}

void scrolltrace_prepare_thread(scrolltrace_sampled_thread *thread, clockid_t clock) {
  // Threads of Dispatch block all signals but those of errors and SIGPROF.
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SAMPLE_SIGNAL);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  system_thread *system = &thread->system;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", (int)thread->id);
  system->clock = clock;
  system->has_waited = false;
  if (pthread_getcpuclockid(thread->thread, &system->core_clock) != 0)
    system->core_clock = CLOCK_MONOTONIC;
  system->turn = IDLE;
  system->state_file = open(path, O_RDONLY | O_CLOEXEC);
}

void scrolltrace_release_thread(scrolltrace_sampled_thread *thread) {
  if (thread->system.state_file >= 0) close(thread->system.state_file);
  thread->system.turn = IDLE;
}

static void futex(uint32_t *word, int operation, uint32_t value, const struct timespec *time) {
  syscall(SYS_futex, word, operation, value, time, NULL, 0);
}

void scrolltrace_wake(scrolltrace_sampler *sampler) {
  const int error = errno;
  futex(&sampler->sleeps, FUTEX_WAKE_PRIVATE, 1, NULL);
  errno = error;
}

// ---- In the helper thread ---------------------------------------------------------------------------

scrolltrace_sampler_problem scrolltrace_prepare_sampler(scrolltrace_sampler *sampler) {
  sampler->system.is_refused = false;
  return install() ? SCROLLTRACE_SAMPLER_FINE : SCROLLTRACE_SAMPLER_SIGNAL_TAKEN;
}

bool scrolltrace_sampler_is_refused(const scrolltrace_sampler *sampler) {
  return sampler->system.is_refused;
}

bool scrolltrace_take_sample(
    scrolltrace_sampled_thread *thread, scrolltrace_stack_sample *sample) {
  system_thread *system = &thread->system;
  if (__atomic_load_n(&system->turn, __ATOMIC_ACQUIRE) != MADE) return false;
  *sample = (scrolltrace_stack_sample){
    system->time, system->addresses, system->count, system->is_cut};
  __atomic_store_n(&system->turn, IDLE, __ATOMIC_RELAXED);
  return true;
}

/// What the system says that a thread is doing, as text; whether it does.
static bool read_state(const scrolltrace_sampled_thread *thread, char *text, size_t size) {
  const ssize_t count = pread(thread->system.state_file, text, size - 1, 0);
  if (count <= 0) return false;
  text[count] = 0;
  return true;
}

/// Whether a thread waits in a call in which event loops wait for what comes next: the text begins with the
/// number of the call.
static bool is_idle(const char *text) {
  char *end;
  const long call = strtol(text, &end, 10);
  if (end == text) return false;
  switch (call) {
#ifdef SYS_poll
  case SYS_poll:
#endif
#ifdef SYS_select
  case SYS_select:
#endif
#ifdef SYS_epoll_wait
  case SYS_epoll_wait:
#endif
#ifdef SYS_epoll_pwait2
  case SYS_epoll_pwait2:
#endif
#ifdef SYS_io_uring_enter
  case SYS_io_uring_enter:
#endif
  case SYS_ppoll:
  case SYS_pselect6:
  case SYS_epoll_pwait:
  case SYS_nanosleep:
  case SYS_clock_nanosleep: return true;
  default: return false;
  }
}

/// The last two numbers of the text: stack pointer and program counter.
static bool parse_state(char *text, uint64_t *sp, uint64_t *pc) {
  char *last = strrchr(text, ' ');
  if (!last) return false;
  *pc = strtoull(last + 1, NULL, 16);
  *last = 0;
  char *before = strrchr(text, ' ');
  *last = ' ';
  if (!before) return false;
  *sp = strtoull(before + 1, NULL, 16);
  return *sp != 0 && *pc != 0;
}

/// Walks the stack of a thread that waits, on a copy; whether the thread did nothing else meanwhile.
static bool walk_waiting(
    scrolltrace_sampler *sampler, scrolltrace_sampled_thread *thread, char *state,
    scrolltrace_stack_sample *sample) {
  uint64_t sp, pc;
  if (!parse_state(state, &sp, &pc)) return false;
  const uint64_t time = scrolltrace_clock(sampler->clock);
  uint64_t size = 0;
  if (sp < thread->top) size = thread->top - sp < STACK_COPY ? thread->top - sp : STACK_COPY;
  uint8_t *copy = sampler->system.stack;
  struct iovec to = {copy, size}, from = {(void *)(uintptr_t)sp, size};
  if (size > 0 && process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)size) return false;
  char after[256];
  if (!read_state(thread, after, sizeof after) || strcmp(state, after) != 0) return false;
  registers registers = {.pc = pc, .known = (uint64_t)1 << STACK_POINTER};
  registers.value[STACK_POINTER] = sp;
  const walk_end end = scrolltrace_walk(
      &registers, (stack_memory){sp, sp + size, copy}, true, &sampler->system.scratch,
      sampler->addresses, SCROLLTRACE_MOST_FUNCTIONS, &sample->count);
  sample->time = time;
  sample->addresses = sampler->addresses;
  sample->is_cut = end != WALK_WHOLE;
  return true;
}

/// Whether a thread that is said to run has not run since it was seen waiting: its wait is over, and it
/// has no core yet. A signal would make its call fail that has just succeeded.
static bool ends_wait(system_thread *thread) {
  const uint64_t time = scrolltrace_clock(thread->core_clock);
  const bool has_run = time != thread->core_time;
  thread->core_time = time;
  return thread->has_waited && !has_run;
}

bool scrolltrace_look(
    scrolltrace_sampler *sampler, scrolltrace_sampled_thread *thread, bool is_between_frames,
    scrolltrace_stack_sample *sample) {
  // Waiting threads alone would look as if nothing ever ran.
  sampler->system.is_refused = sampler->system.is_refused || !is_installed();
  if (sampler->system.is_refused) return false;
  bool is_made = false;
  system_thread *system = &thread->system;
  pthread_mutex_lock(&thread->lock);
  char state[256];
  if (thread->id != 0 && system->state_file >= 0 && read_state(thread, state, sizeof state)) {
    const uint32_t turn = __atomic_load_n(&system->turn, __ATOMIC_ACQUIRE);
    const bool ends = ends_wait(system);
    if (state[0] != 'r') {
      system->has_waited = true;
      const bool works = __atomic_load_n(&thread->works, __ATOMIC_ACQUIRE);
      is_made = !(is_between_frames && !works && is_idle(state))
          && walk_waiting(sampler, thread, state, sample);
    } else if (!ends && turn != ASKED) {
      system->has_waited = false;
      __atomic_store_n(&system->turn, ASKED, __ATOMIC_RELEASE);
      if (syscall(SYS_tgkill, getpid(), (pid_t)thread->id, SAMPLE_SIGNAL) == 0)
        sampler->count++;
      else __atomic_store_n(&system->turn, IDLE, __ATOMIC_RELEASE);
    }
  }
  pthread_mutex_unlock(&thread->lock);
  return is_made;
}

void scrolltrace_sleep_until(scrolltrace_sampler *sampler, uint64_t time) {
  if (scrolltrace_sampler_stops(sampler)) return;
  const struct timespec until = {(time_t)(time / 1000000000u), (long)(time % 1000000000u)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

void scrolltrace_sleep(scrolltrace_sampler *sampler) {
  while (__atomic_load_n(&sampler->sleeps, __ATOMIC_ACQUIRE))
    futex(&sampler->sleeps, FUTEX_WAIT_PRIVATE, 1, NULL);
}

void scrolltrace_measure_signal(scrolltrace_sampler *sampler) {
  enum { ROUNDS = 8 };
  sigset_t only, before;
  sigemptyset(&only);
  sigaddset(&only, SAMPLE_SIGNAL);
  pthread_sigmask(SIG_UNBLOCK, &only, &before);
  uint64_t least = UINT64_MAX;
  for (unsigned round = 0; round < ROUNDS && is_installed(); round++) {
    const uint64_t start = scrolltrace_clock(CLOCK_MONOTONIC);
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SAMPLE_SIGNAL);
    const uint64_t time = scrolltrace_clock(CLOCK_MONOTONIC) - start;
    if (time < least) least = time;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  sampler->cost = least == UINT64_MAX ? 0 : least;
}

module_cache *scrolltrace_module_cache(scrolltrace_sampler *sampler) {
  return &sampler->system.modules;
}

#endif
