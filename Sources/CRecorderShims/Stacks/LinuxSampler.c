#define _GNU_SOURCE
#include "StackSampler.h"

#include <stdlib.h>

#include "CRecorderShims.h"
#include "Modules.h"
#include "SampledFrames.h"

#ifdef SCROLLTRACE_HAS_STACKS

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

enum {
  MOST_FUNCTIONS = 512,
  /// How much of a waiting thread's stack is copied.
  STACK_COPY = 128 << 10,
  /// How much below the stack pointer a signal leaves as it was. The registers that a function takes back
  /// before it returns are there, by its call frame information.
#if defined(__x86_64__)
  BELOW_STACK = 128,
#else
  BELOW_STACK = 0,
#endif
};

/// Whose turn it is with a thread's sample.
enum { IDLE, ASKED, MADE };

struct scrolltrace_sampled_thread {
  // Threads are never freed, only used again.
  scrolltrace_sampled_thread *next;
  scrolltrace_sampler *sampler;
  /// Held while the thread is looked at, so that it does not end meanwhile.
  pthread_mutex_t lock;
  pthread_t thread;
  int32_t id;
  /// The descriptor of what the thread waits for, or -1.
  int state_file;
  clockid_t clock;
  /// The clock of the thread's time on a core, and what it said at the last look.
  clockid_t core_clock;
  uint64_t core_time;
  bool has_waited;
  /// The stack's end.
  uint64_t top;
  sampled_frames frames;
  // The sample that the handler makes.
  uint32_t turn;
  uint64_t time;
  uint32_t count;
  bool is_cut;
  uint64_t addresses[MOST_FUNCTIONS];
  unwind_scratch scratch;
};

struct scrolltrace_sampler {
  // Samplers are never freed, only used again: a frame may begin while its recording ends.
  scrolltrace_sampler *next;
  uint32_t is_taken;
  clockid_t clock;
  uint32_t stops;
  /// 1 while the helper waits for a frame.
  uint32_t sleeps;
  uint64_t signals;
  /// How long handlers ran, and what a signal costs besides, in nanoseconds.
  uint64_t handler_time, signal_cost;
  module_cache modules;
  // Of waiting threads.
  uint64_t addresses[MOST_FUNCTIONS];
  unwind_scratch scratch;
  uint8_t stack[STACK_COPY];
};

static scrolltrace_sampled_thread *first_thread;
static scrolltrace_sampler *first_sampler;

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
  thread->is_cut =
      scrolltrace_walk(
          &registers, stack, false, &thread->scratch, thread->addresses, MOST_FUNCTIONS,
          &thread->count)
      != WALK_WHOLE;
}

static void handle(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
  const int error = errno;
  const pthread_t own = pthread_self();
  scrolltrace_sampled_thread *thread = __atomic_load_n(&first_thread, __ATOMIC_ACQUIRE);
  for (; thread; thread = thread->next) {
    if (__atomic_load_n(&thread->turn, __ATOMIC_ACQUIRE) != ASKED || thread->thread != own) continue;
    thread->time = scrolltrace_clock(thread->clock);
    walk_own_stack(thread, context);
    scrolltrace_sampler *sampler = __atomic_load_n(&thread->sampler, __ATOMIC_ACQUIRE);
    const uint64_t time = scrolltrace_clock(thread->clock) - thread->time;
    if (sampler) __atomic_fetch_add(&sampler->handler_time, time, __ATOMIC_RELAXED);
    __atomic_store_n(&thread->turn, MADE, __ATOMIC_RELEASE);
  }
  errno = error;
}

/// Whether the process's handler for SIGPROF is this one.
static bool is_installed(void) {
  struct sigaction action;
  return sigaction(SIGPROF, NULL, &action) == 0 && action.sa_flags & SA_SIGINFO
      && action.sa_sigaction == handle;
}

static bool install(void) {
  struct sigaction before;
  if (sigaction(SIGPROF, NULL, &before) != 0) return false;
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
  return sigaction(SIGPROF, &action, NULL) == 0;
}

/// The end of the calling thread's stack, or 0 if unknown.
static uint64_t end_of_stack(void) {
  pthread_attr_t attributes;
  void *start = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  const int failed = pthread_attr_getstack(&attributes, &start, &size);
  pthread_attr_destroy(&attributes);
  return failed ? 0 : (uintptr_t)start + size;
}

/// A thread that nobody uses, or a new one.
static scrolltrace_sampled_thread *take_thread(scrolltrace_sampler *sampler) {
  scrolltrace_sampled_thread *thread = __atomic_load_n(&first_thread, __ATOMIC_ACQUIRE);
  for (; thread; thread = thread->next) {
    scrolltrace_sampler *nobody = NULL;
    if (__atomic_compare_exchange_n(
            &thread->sampler, &nobody, sampler, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      return thread;
  }
  thread = calloc(1, sizeof *thread);
  if (!thread) return NULL;
  pthread_mutex_init(&thread->lock, NULL);
  pthread_mutex_lock(&thread->lock);
  thread->state_file = -1;
  thread->sampler = sampler;
  thread->next = __atomic_load_n(&first_thread, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(
      &first_thread, &thread->next, thread, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  pthread_mutex_unlock(&thread->lock);
  return thread;
}

scrolltrace_sampled_thread *scrolltrace_sample_thread(scrolltrace_sampler *sampler) {
  const int error = errno;
  scrolltrace_sampled_thread *thread = take_thread(sampler);
  if (thread) {
    char path[64];
    const int32_t id = (int32_t)syscall(SYS_gettid);
    snprintf(path, sizeof path, "/proc/self/task/%d/syscall", id);
    pthread_mutex_lock(&thread->lock);
    thread->thread = pthread_self();
    thread->clock = sampler->clock;
    thread->has_waited = false;
    if (pthread_getcpuclockid(thread->thread, &thread->core_clock) != 0)
      thread->core_clock = CLOCK_MONOTONIC;
    thread->top = end_of_stack();
    scrolltrace_reset_frames(&thread->frames);
    thread->turn = IDLE;
    thread->state_file = open(path, O_RDONLY | O_CLOEXEC);
    thread->id = id;
    pthread_mutex_unlock(&thread->lock);
  }
  errno = error;
  return thread;
}

/// Makes a thread, which is locked, available to others.
static void release(scrolltrace_sampled_thread *thread) {
  thread->id = 0;
  if (thread->state_file >= 0) close(thread->state_file);
  thread->state_file = -1;
  thread->turn = IDLE;
  __atomic_store_n(&thread->sampler, NULL, __ATOMIC_RELEASE);
}

void scrolltrace_forget_sampled_thread(
    scrolltrace_sampler *sampler, scrolltrace_sampled_thread *thread) {
  pthread_mutex_lock(&thread->lock);
  // After the recording has ended, it may be another's.
  if (thread->sampler == sampler && thread->thread == pthread_self()) release(thread);
  pthread_mutex_unlock(&thread->lock);
}

static void futex(uint32_t *word, int operation, uint32_t value, const struct timespec *time) {
  syscall(SYS_futex, word, operation, value, time, NULL, 0);
}

void scrolltrace_sampled_frame_begins(
    scrolltrace_sampled_thread *thread, const void *surface, uint64_t start, uint64_t deadline) {
  scrolltrace_open_frame(&thread->frames, surface, start, deadline);
  scrolltrace_sampler *sampler = thread->sampler;
  if (!sampler) return;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (__atomic_load_n(&sampler->sleeps, __ATOMIC_RELAXED) == 0) return;
  __atomic_store_n(&sampler->sleeps, 0, __ATOMIC_RELAXED);
  const int error = errno;
  futex(&sampler->sleeps, FUTEX_WAKE_PRIVATE, 1, NULL);
  errno = error;
}

void scrolltrace_sampled_frame_ends(
    scrolltrace_sampled_thread *thread, uint64_t start, uint64_t end) {
  if (thread->thread != pthread_self()) return;
  scrolltrace_close_frame(&thread->frames, start, end);
}

// ---- In the helper thread ---------------------------------------------------------------------------

/// A sampler that nobody uses, or a new one.
static scrolltrace_sampler *take_sampler(void) {
  scrolltrace_sampler *sampler = __atomic_load_n(&first_sampler, __ATOMIC_ACQUIRE);
  for (; sampler; sampler = sampler->next) {
    uint32_t taken = 0;
    if (__atomic_compare_exchange_n(
            &sampler->is_taken, &taken, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      return sampler;
  }
  sampler = calloc(1, sizeof *sampler);
  if (!sampler) return NULL;
  sampler->is_taken = 1;
  sampler->next = __atomic_load_n(&first_sampler, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(
      &first_sampler, &sampler->next, sampler, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  return sampler;
}

scrolltrace_sampler *scrolltrace_make_sampler(
    clockid_t clock, scrolltrace_sampler_problem *problem) {
  *problem = SCROLLTRACE_SAMPLER_SIGNAL_TAKEN;
  if (!install()) return NULL;
  *problem = SCROLLTRACE_SAMPLER_NO_MEMORY;
  scrolltrace_sampler *sampler = take_sampler();
  if (!sampler) return NULL;
  *problem = SCROLLTRACE_SAMPLER_FINE;
  sampler->clock = clock;
  sampler->signals = 0;
  sampler->handler_time = 0;
  __atomic_store_n(&sampler->stops, 0, __ATOMIC_RELAXED);
  scrolltrace_refresh_modules(sampler);
  return sampler;
}

void scrolltrace_free_sampler(scrolltrace_sampler *sampler) {
  scrolltrace_sampled_thread *thread = __atomic_load_n(&first_thread, __ATOMIC_ACQUIRE);
  for (; thread; thread = thread->next) {
    pthread_mutex_lock(&thread->lock);
    if (thread->sampler == sampler) release(thread);
    pthread_mutex_unlock(&thread->lock);
  }
  __atomic_store_n(&sampler->is_taken, 0, __ATOMIC_RELEASE);
}

scrolltrace_sampled_thread *scrolltrace_next_sampled_thread(
    scrolltrace_sampler *sampler, scrolltrace_sampled_thread *thread) {
  thread = thread ? thread->next : __atomic_load_n(&first_thread, __ATOMIC_ACQUIRE);
  while (thread && __atomic_load_n(&thread->sampler, __ATOMIC_ACQUIRE) != sampler)
    thread = thread->next;
  return thread;
}

uint32_t scrolltrace_sampled_thread_id(const scrolltrace_sampled_thread *thread) {
  return (uint32_t)thread->id;
}

scrolltrace_sampled_frame scrolltrace_read_sampled_frame(const scrolltrace_sampled_thread *thread) {
  return scrolltrace_read_frames(&thread->frames);
}

bool scrolltrace_take_sample(
    scrolltrace_sampled_thread *thread, scrolltrace_stack_sample *sample) {
  if (__atomic_load_n(&thread->turn, __ATOMIC_ACQUIRE) != MADE) return false;
  *sample = (scrolltrace_stack_sample){
    thread->time, thread->addresses, thread->count, thread->is_cut};
  __atomic_store_n(&thread->turn, IDLE, __ATOMIC_RELAXED);
  return true;
}

/// What the system says that a thread is doing, as text; whether it does.
static bool read_state(const scrolltrace_sampled_thread *thread, char *text, size_t size) {
  const ssize_t count = pread(thread->state_file, text, size - 1, 0);
  if (count <= 0) return false;
  text[count] = 0;
  return true;
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
  struct iovec to = {sampler->stack, size}, from = {(void *)(uintptr_t)sp, size};
  if (size > 0 && process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)size) return false;
  char after[256];
  if (!read_state(thread, after, sizeof after) || strcmp(state, after) != 0) return false;
  registers registers = {.pc = pc, .known = (uint64_t)1 << STACK_POINTER};
  registers.value[STACK_POINTER] = sp;
  const walk_end end = scrolltrace_walk(
      &registers, (stack_memory){sp, sp + size, sampler->stack}, true, &sampler->scratch,
      sampler->addresses, MOST_FUNCTIONS, &sample->count);
  sample->time = time;
  sample->addresses = sampler->addresses;
  sample->is_cut = end != WALK_WHOLE;
  return true;
}

/// Whether a thread that is said to run has not run since it was seen waiting: its wait is over, and it
/// has no core yet. A signal would make its call fail that has just succeeded.
static bool ends_wait(scrolltrace_sampled_thread *thread) {
  const uint64_t time = scrolltrace_clock(thread->core_clock);
  const bool has_run = time != thread->core_time;
  thread->core_time = time;
  return thread->has_waited && !has_run;
}

bool scrolltrace_look(
    scrolltrace_sampler *sampler, scrolltrace_sampled_thread *thread,
    scrolltrace_stack_sample *sample) {
  bool is_made = false;
  pthread_mutex_lock(&thread->lock);
  char state[256];
  if (thread->id != 0 && thread->state_file >= 0 && read_state(thread, state, sizeof state)) {
    const uint32_t turn = __atomic_load_n(&thread->turn, __ATOMIC_ACQUIRE);
    const bool ends = ends_wait(thread);
    if (state[0] != 'r') {
      thread->has_waited = true;
      is_made = walk_waiting(sampler, thread, state, sample);
    } else if (!ends && turn != ASKED && is_installed()) {
      thread->has_waited = false;
      __atomic_store_n(&thread->turn, ASKED, __ATOMIC_RELEASE);
      if (syscall(SYS_tgkill, getpid(), thread->id, SIGPROF) == 0) sampler->signals++;
      else __atomic_store_n(&thread->turn, IDLE, __ATOMIC_RELEASE);
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

void scrolltrace_wait_for_frame(scrolltrace_sampler *sampler) {
  __atomic_store_n(&sampler->sleeps, 1, __ATOMIC_SEQ_CST);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  bool is_needed = scrolltrace_sampler_stops(sampler);
  scrolltrace_sampled_thread *thread = NULL;
  while ((thread = scrolltrace_next_sampled_thread(sampler, thread)))
    is_needed |= scrolltrace_read_sampled_frame(thread).number & 1;
  if (!is_needed) futex(&sampler->sleeps, FUTEX_WAIT_PRIVATE, 1, NULL);
  __atomic_store_n(&sampler->sleeps, 0, __ATOMIC_SEQ_CST);
}

void scrolltrace_stop_sampler(scrolltrace_sampler *sampler) {
  __atomic_store_n(&sampler->stops, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(&sampler->sleeps, 0, __ATOMIC_SEQ_CST);
  futex(&sampler->sleeps, FUTEX_WAKE_PRIVATE, 1, NULL);
}

bool scrolltrace_sampler_stops(const scrolltrace_sampler *sampler) {
  return __atomic_load_n(&sampler->stops, __ATOMIC_ACQUIRE) != 0;
}

void scrolltrace_measure_signal(scrolltrace_sampler *sampler) {
  enum { ROUNDS = 8 };
  sigset_t only, before;
  sigemptyset(&only);
  sigaddset(&only, SIGPROF);
  pthread_sigmask(SIG_UNBLOCK, &only, &before);
  uint64_t least = UINT64_MAX;
  for (unsigned round = 0; round < ROUNDS && is_installed(); round++) {
    const uint64_t start = scrolltrace_clock(CLOCK_MONOTONIC);
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGPROF);
    const uint64_t time = scrolltrace_clock(CLOCK_MONOTONIC) - start;
    if (time < least) least = time;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  sampler->signal_cost = least == UINT64_MAX ? 0 : least;
}

scrolltrace_sampling_cost scrolltrace_read_sampling_cost(const scrolltrace_sampler *sampler) {
  const uint64_t handlers = __atomic_load_n(&sampler->handler_time, __ATOMIC_RELAXED);
  return (scrolltrace_sampling_cost){
    sampler->signals, handlers + sampler->signals * sampler->signal_cost,
    scrolltrace_clock(CLOCK_THREAD_CPUTIME_ID)};
}

module_cache *scrolltrace_module_cache(scrolltrace_sampler *sampler) { return &sampler->modules; }

#endif
