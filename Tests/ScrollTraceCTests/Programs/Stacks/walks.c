/* Samples its own stacks through the sampler alone, without a recorder, and compares them with the chains
   of calls that it makes: also on processors that are only emulated, where no Swift code runs. On x86-64
   it also looks at each instruction of a chain. Prints one line for each chain; the exit code is 1 if one
   is found in less than 99 of 100 samples.

   With WALKS_FRAME_POINTERS the sampler is the one for Apple's systems, which knows only frame pointers. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "StackSampler.h"
#include "Unwind.h"

/* A function that stays one, whose name the loader knows, and whose calls do not become jumps. */
#define FUNCTION __attribute__((noinline))
typedef uint64_t moment;

/* A chain lasts until there are enough samples, or for long: a busy machine samples rarely. */
enum { PERIOD = 1000000, MOST_STACKS = 150, MOST_NAMES = 300 };
static const uint64_t length = 10000000000;

static uint64_t clock_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* While each instruction is looked at, time is how often it was read. */
static bool is_stepped;
static uint64_t readings;
static volatile uint32_t stack_count;

/* The time for what is sampled, which ends with the last sample. */
static moment now(void) {
  if (is_stepped) return ++readings;
  return stack_count == MOST_STACKS ? UINT64_MAX : clock_time();
}

/* Emulators do not have the call by which the sampler reads what may be gone. */
ssize_t process_vm_readv(
    pid_t pid, const struct iovec *own, unsigned long own_count, const struct iovec *other,
    unsigned long other_count, unsigned long flags) {
  (void)pid, (void)own_count, (void)other_count, (void)flags;
  int ends[2];
  if (pipe(ends) != 0) return -1;
  ssize_t count = write(ends[1], other->iov_base, other->iov_len);
  if (count > 0) count = read(ends[0], own->iov_base, (size_t)count);
  close(ends[0]);
  close(ends[1]);
  return count;
}

/* ---- What is sampled ---- */

enum { COPIED = 1 << 13, COMPARED = 5, SORTED = 60, DEPTH = 100, LEAF = 1000 };
#include "works.h"

FUNCTION void work_snprintf(moment end) {
  char text[200];
  while (now() < end) {
    snprintf(text, sizeof text, "%d %s %g", 12, "price", 1.5);
    __asm__ volatile("" ::"r"(text) : "memory");
  }
  RETURN;
}

/* A stack of a size that only its frame pointer knows. */
FUNCTION void work_alloca(moment end) {
  while (now() < end) {
    size_t size = 64 + (size_t)(sum++ & 255);
    char *memory = __builtin_alloca(size);
    memset(memory, 1, size);
    __asm__ volatile("" ::"r"(memory) : "memory");
    if (sum % 64 == 0) break;
  }
  RETURN;
}

FUNCTION void work_allocas(moment end) {
  while (now() < end) work_alloca(end);
  RETURN;
}

static volatile sig_atomic_t is_handled;

FUNCTION void handle_host_signal(int number) {
  (void)number;
  const uint64_t end = clock_time() + 5000000;
  while (now() < end) sum++;
  is_handled = 1;
}

/* Calls nothing. */
FUNCTION void wait_for_signal(void) {
  while (!is_handled) sum++;
}

/* A handler of the host, on the stack that it has interrupted. */
FUNCTION void work_signal(moment end) {
  signal(SIGALRM, handle_host_signal);
  while (now() < end) {
    is_handled = 0;
    ualarm(1000, 0);
    wait_for_signal();
  }
  RETURN;
}

FUNCTION void work_semaphore(moment end) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  while (now() < end) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += 5000000;
    if (time.tv_nsec >= 1000000000) time.tv_sec++, time.tv_nsec -= 1000000000;
    sem_timedwait(&semaphore, &time);
  }
  RETURN;
}

typedef struct chain {
  const char *name;
  void (*work)(uint64_t);
  /* Whether the thread waits, and is sampled as one. */
  bool waits;
} chain;

static const chain chains[] = {
  {"work_memcpy", work_memcpy, false},       {"work_malloc", work_malloc, false},
  {"work_qsort", work_qsort, false},         {"work_snprintf", work_snprintf, false},
  {"work_recursion", work_recursion, false}, {"work_allocas", work_allocas, false},
  {"work_leaf", work_leaf, false},           {"work_signal", work_signal, false},
  {"work_poll", work_poll, true},            {"work_usleep", work_usleep, true},
  {"work_semaphore", work_semaphore, true},
};

/* Lets the processor stop behind each instruction, or no longer. */
static inline __attribute__((always_inline)) void step(bool is_on) {
#if defined(__x86_64__)
  if (is_on) __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
  else __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
#else
  (void)is_on;
#endif
}

/* Whether the chain's function has been called: nothing is sampled before. */
static volatile bool is_called;

FUNCTION void outer(const chain *chain, uint64_t end) {
  is_called = true;
  if (is_stepped) step(true);
  chain->work(end);
  if (is_stepped) step(false);
  RETURN;
}

FUNCTION void make_chain(const chain *chain, uint64_t end) {
  outer(chain, end);
  RETURN;
}

/* ---- The samples ---- */

typedef struct stack {
  uint64_t addresses[MOST_NAMES];
  uint32_t count;
  bool is_whole;
} stack;

static stack stacks[MOST_STACKS];
static void keep(const uint64_t *addresses, uint32_t count, bool is_whole) {
  if (stack_count == MOST_STACKS || count > MOST_NAMES) return;
  stack *kept = &stacks[stack_count++];
  memcpy(kept->addresses, addresses, count * sizeof *addresses);
  kept->count = count;
  kept->is_whole = is_whole;
}

static const char *name_of(uint64_t address) {
  Dl_info info;
  if (dladdr((void *)(uintptr_t)address, &info) == 0 || !info.dli_sname) return "?";
  return info.dli_sname;
}

/* Whether the names occur in the stack in this order, innermost first, side by side. */
static bool contains(const stack *stack, const char *const *names, uint32_t count) {
  for (uint32_t first = 0; first + count <= stack->count; first++) {
    uint32_t index = 0;
    while (index < count && strcmp(name_of(stack->addresses[first + index]), names[index]) == 0)
      index++;
    if (index == count) return true;
  }
  return false;
}

static bool is_right(const stack *stack, const chain *chain) {
#ifdef WALKS_FRAME_POINTERS
  // The C library of Linux keeps none: it hides its caller, and the outermost function.
  (void)chain;
  return contains(stack, (const char *[]){"outer", "make_chain"}, 2)
      && contains(stack, (const char *[]){"main"}, 1);
#endif
  if (!stack->is_whole) return false;
  if (!contains(stack, (const char *[]){"main"}, 1)) return false;
  const char *names[] = {chain->name, "outer", "make_chain"};
  if (chain->work != work_signal) return contains(stack, names, 3);
  const char *own[] = {"wait_for_signal", "work_signal", "outer", "make_chain"};
  return contains(stack, own, 4) || !contains(stack, (const char *[]){"handle_host_signal"}, 1);
}

static void print(const stack *stack) {
  for (uint32_t index = 0; index < stack->count && index < 20; index++)
    printf("    %s %#llx\n", name_of(stack->addresses[index]),
           (unsigned long long)stack->addresses[index]);
  printf("    %s\n", stack->is_whole ? "whole" : "cut");
}

/* Whether the chain's function runs in the stack, as far as the innermost one says. */
static bool is_inside(const stack *stack) {
  const char *name = name_of(stack->addresses[0]);
  return strcmp(name, "outer") != 0 && strcmp(name, "make_chain") != 0 && strcmp(name, "main") != 0;
}

static bool judge(const chain *chain) {
  uint32_t inside = 0, right = 0;
  const stack *wrong = NULL;
  // The first sample can be of the chain before, and the last one of the code behind.
  for (uint32_t index = 1; index + 1 < stack_count; index++) {
    if (!is_inside(&stacks[index])) continue;
    inside++;
    if (is_right(&stacks[index], chain)) right++;
    else wrong = &stacks[index];
  }
  printf("%-15s %u of %u\n", chain->name, right, inside);
  if (wrong) print(wrong);
  return inside >= 10 && right * 100 >= inside * 99;
}

/* ---- Sampling ---- */

static volatile bool is_over;

/* Looks at the sampled thread as the recorder's helper thread does. */
static void *look(void *argument) {
  scrolltrace_sampler *sampler = argument;
  while (!is_called) usleep(100);
  for (uint64_t next = clock_time(); !is_over; next += PERIOD) {
    scrolltrace_sampled_thread *thread = scrolltrace_next_sampled_thread(sampler, NULL);
    scrolltrace_stack_sample sample;
    if (scrolltrace_take_sample(thread, &sample))
      keep(sample.addresses, sample.count, !sample.is_cut);
    const bool is_made = scrolltrace_look(sampler, thread, false, &sample);
#ifdef WALKS_FRAME_POINTERS
    if (is_made) keep(sample.addresses, sample.count, !sample.is_cut);
#else
    // Before and behind a chain, the thread can wait.
    (void)is_made;
#endif
    scrolltrace_sleep_until(sampler, next);
  }
  return NULL;
}

#ifndef WALKS_FRAME_POINTERS
static pid_t main_thread;

static void *interrupt(void *argument) {
  (void)argument;
  while (!is_called) usleep(100);
  while (!is_over) {
    usleep(PERIOD / 1000);
    syscall(SYS_tgkill, getpid(), main_thread, SIGUSR1);
  }
  return NULL;
}

static uint64_t top;

/* Walks a waiting thread's stack with what the system says of one: its stack pointer and its place. */
static void handle_wait(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  static unwind_scratch scratch;
  static uint64_t addresses[MOST_NAMES];
  const int error = errno;
  const ucontext_t *interrupted = context;
  registers registers = {.known = (uint64_t)1 << STACK_POINTER};
#if defined(__x86_64__)
  registers.pc = (uint64_t)interrupted->uc_mcontext.gregs[REG_RIP];
  registers.value[STACK_POINTER] = (uint64_t)interrupted->uc_mcontext.gregs[REG_RSP];
#else
  registers.pc = interrupted->uc_mcontext.pc;
  registers.value[STACK_POINTER] = interrupted->uc_mcontext.sp;
#endif
  // Between two waits it runs: only behind a system call has it waited.
#if defined(__x86_64__)
  if (memcmp((const char *)(uintptr_t)registers.pc - 2, "\x0f\x05", 2) != 0) return;
#else
  if (memcmp((const char *)(uintptr_t)registers.pc - 4, "\x01\x00\x00\xd4", 4) != 0) return;
#endif
  const uint64_t sp = registers.value[STACK_POINTER];
  const stack_memory memory = {sp, top, (const uint8_t *)(uintptr_t)sp};
  uint32_t count;
  const walk_end end =
      scrolltrace_walk(&registers, memory, true, &scratch, addresses, MOST_NAMES, &count);
  keep(addresses, count, end == WALK_WHOLE);
  errno = error;
}
#endif

#if defined(__x86_64__) && !defined(WALKS_FRAME_POINTERS)
static const chain *stepped;
static uint32_t steps, right_steps;
static stack wrong_step;

/* Walks the stack behind an instruction of a chain. */
static void handle_step(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  static unwind_scratch scratch;
  static stack stack;
  static const int order[] = {
    REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8, REG_R9, REG_R10,
    REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  const greg_t *values = ((const ucontext_t *)context)->uc_mcontext.gregs;
  registers registers = {.known = ((uint64_t)1 << RETURN_ADDRESS) - 1};
  for (unsigned index = 0; index < REGISTER_COUNT; index++)
    registers.value[index] = (uint64_t)values[order[index]];
  registers.pc = registers.value[PROGRAM_COUNTER];
  const uint64_t low = registers.value[STACK_POINTER] - 128;
  const stack_memory memory = {low, top, (const uint8_t *)(uintptr_t)low};
  stack.is_whole = scrolltrace_walk(
      &registers, memory, false, &scratch, stack.addresses, MOST_NAMES, &stack.count) == WALK_WHOLE;
  if (!is_inside(&stack)) return;
  steps++;
  if (is_right(&stack, stepped)) right_steps++;
  else if (wrong_step.count == 0) wrong_step = stack;
}

/* Whether each instruction of a chain is found in it. */
static bool step_through(const chain *chain) {
  struct sigaction action = {.sa_sigaction = handle_step, .sa_flags = SA_SIGINFO};
  sigaction(SIGTRAP, &action, NULL);
  stepped = chain;
  steps = right_steps = readings = wrong_step.count = 0;
  is_stepped = true;
  make_chain(chain, 4);
  is_stepped = false;
  printf("%-15s %u of %u instructions\n", chain->name, right_steps, steps);
  if (wrong_step.count > 0) print(&wrong_step);
  return steps > 10 && (uint64_t)right_steps * 1000 >= (uint64_t)steps * 999;
}
#endif

#ifdef WALKS_FRAME_POINTERS
/* Whether the image that the stand-in has is listed as it is. */
static bool lists_image(scrolltrace_sampler *sampler) {
  uint32_t count;
  const scrolltrace_module *modules = scrolltrace_list_modules(sampler, &count);
  return count == 1 && modules->start == 0x11000 && modules->end == 0x15000 && modules->bias == 0x10000
      && modules->build_id_length == 16 && modules->build_id[2] == 3
      && strcmp(modules->path, "/Applications/Feed") == 0;
}

static volatile bool is_asked, is_seen;

/* Looks once, between frames. */
static void *look_between(void *sampler) {
  scrolltrace_sampled_thread *thread = scrolltrace_next_sampled_thread(sampler, NULL);
  scrolltrace_stack_sample sample;
  usleep(20000);
  is_seen = scrolltrace_look(sampler, thread, true, &sample);
  is_asked = true;
  return NULL;
}

/* Whether a thread is looked at between frames if it runs, and let be if it waits. */
static bool lets_be(scrolltrace_sampler *sampler, bool waits) {
  pthread_t helper;
  is_asked = false;
  pthread_create(&helper, NULL, look_between, sampler);
  if (waits) poll(NULL, 0, 200);
  else while (!is_asked) sum++;
  pthread_join(helper, NULL);
  return is_seen == !waits;
}
#endif

int main(void) {
#ifndef WALKS_FRAME_POINTERS
  pthread_attr_t attributes;
  void *start;
  size_t size;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &start, &size);
  top = (uintptr_t)start + size;
  main_thread = (pid_t)syscall(SYS_gettid);
  struct sigaction action = {.sa_sigaction = handle_wait, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
#endif
  scrolltrace_sampler_problem problem;
  scrolltrace_sampler *sampler = scrolltrace_make_sampler(CLOCK_MONOTONIC, &problem);
  if (!sampler) return 2;
  scrolltrace_sampled_thread *thread = scrolltrace_sample_thread(sampler);
  bool is_fine = true;
#ifdef WALKS_FRAME_POINTERS
  is_fine = lists_image(sampler) && lets_be(sampler, true) && lets_be(sampler, false);
#endif
  for (unsigned index = 0; index < sizeof chains / sizeof *chains; index++) {
    const chain *chain = &chains[index];
#ifdef WALKS_FRAME_POINTERS
    // Only this program keeps frame pointers; a handler's frame has none.
    const bool is_own = chain->work == work_recursion || chain->work == work_allocas
        || chain->work == work_leaf;
    if (!is_own) continue;
#endif
    pthread_t helper;
    stack_count = 0;
    is_over = false;
    is_called = false;
    const uint64_t time = clock_time();
    scrolltrace_sampled_frame_begins(thread, "", time, time, 0);
#ifdef WALKS_FRAME_POINTERS
    pthread_create(&helper, NULL, look, sampler);
#else
    pthread_create(&helper, NULL, chain->waits ? interrupt : look, sampler);
#endif
    make_chain(chain, time + length);
    is_over = true;
    pthread_join(helper, NULL);
    is_fine &= judge(chain);
#if defined(__x86_64__) && !defined(WALKS_FRAME_POINTERS)
    // A wait is one instruction, and a signal comes when it likes.
    if (!chain->waits && chain->work != work_signal) is_fine &= step_through(chain);
#endif
  }
  return is_fine ? 0 : 1;
}
