/* What the sampler for Apple's systems calls, made of what Linux has: a thread is suspended by a signal
   whose handler waits. Enough to run the sampler, not to say how Apple's systems behave. */

#define _GNU_SOURCE
#include <mach-o/dyld.h>
#include <mach-o/loader.h>
#include <mach/mach.h>
#include <mach/mach_time.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

mach_port_t mach_task_self_ = 1;
static sem_t semaphores[8];
static volatile int is_suspended, must_wait;
static ucontext_t suspended;

static void wait_for_resume(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  memcpy(&suspended, context, sizeof suspended);
  __atomic_store_n(&is_suspended, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&must_wait, __ATOMIC_SEQ_CST)) sched_yield();
  __atomic_store_n(&is_suspended, 0, __ATOMIC_SEQ_CST);
}

kern_return_t mach_timebase_info(mach_timebase_info_data_t *info) {
  *info = (mach_timebase_info_data_t){1, 1};
  return KERN_SUCCESS;
}

kern_return_t mach_wait_until(uint64_t deadline) {
  struct timespec until = {(time_t)(deadline / 1000000000u), (long)(deadline % 1000000000u)};
  // Linux sleeps on no clock that runs as Apple's does; both count from the start of the system.
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
  return KERN_SUCCESS;
}

kern_return_t thread_suspend(thread_act_t thread) {
  struct sigaction action = {.sa_sigaction = wait_for_resume, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGURG, &action, NULL);
  __atomic_store_n(&must_wait, 1, __ATOMIC_SEQ_CST);
  if (syscall(SYS_tgkill, getpid(), thread, SIGURG) != 0) return 1;
  while (!__atomic_load_n(&is_suspended, __ATOMIC_SEQ_CST)) usleep(20);
  return KERN_SUCCESS;
}

kern_return_t thread_resume(thread_act_t thread) {
  (void)thread;
  __atomic_store_n(&must_wait, 0, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&is_suspended, __ATOMIC_SEQ_CST)) usleep(20);
  return KERN_SUCCESS;
}

kern_return_t thread_get_state(
    thread_act_t thread, thread_state_flavor_t flavor, thread_state_t state,
    mach_msg_type_number_t *count) {
  (void)thread, (void)flavor;
  memset(state, 0, *count * sizeof *state);
#if defined(__aarch64__)
  arm_thread_state64_t *registers = (void *)state;
  registers->fp = suspended.uc_mcontext.regs[29];
  registers->lr = suspended.uc_mcontext.regs[30];
  registers->sp = suspended.uc_mcontext.sp;
  registers->pc = suspended.uc_mcontext.pc;
#else
  x86_thread_state64_t *registers = (void *)state;
  registers->__rbp = (uint64_t)suspended.uc_mcontext.gregs[REG_RBP];
  registers->__rsp = (uint64_t)suspended.uc_mcontext.gregs[REG_RSP];
  registers->__rip = (uint64_t)suspended.uc_mcontext.gregs[REG_RIP];
#endif
  return KERN_SUCCESS;
}

kern_return_t thread_info(
    thread_act_t thread, int flavor, thread_info_t information, mach_msg_type_number_t *count) {
  (void)flavor;
  memset(information, 0, *count * sizeof *information);
  char path[64], text[8] = "";
  snprintf(path, sizeof path, "/proc/self/task/%u/syscall", (unsigned)thread);
  FILE *file = fopen(path, "r");
  if (!file || !fgets(text, sizeof text, file)) text[0] = 'r';
  if (file) fclose(file);
  thread_basic_info_data_t basic = {
      .run_state = text[0] == 'r' ? TH_STATE_RUNNING : TH_STATE_WAITING};
  memcpy(information, &basic, sizeof basic);
  return KERN_SUCCESS;
}

kern_return_t semaphore_create(task_t task, semaphore_t *semaphore, int policy, int value) {
  (void)task, (void)policy;
  *semaphore = 1;
  return sem_init(&semaphores[1], 0, (unsigned)value);
}

kern_return_t semaphore_signal(semaphore_t semaphore) { return sem_post(&semaphores[semaphore]); }

kern_return_t semaphore_wait(semaphore_t semaphore) {
  while (sem_wait(&semaphores[semaphore]) != 0) {
  }
  return KERN_SUCCESS;
}

void *pthread_get_stackaddr_np(pthread_t thread) {
  pthread_attr_t attributes;
  void *start = NULL;
  size_t size = 0;
  pthread_getattr_np(thread, &attributes);
  pthread_attr_getstack(&attributes, &start, &size);
  pthread_attr_destroy(&attributes);
  return (char *)start + size;
}

mach_port_t pthread_mach_thread_np(pthread_t thread) {
  (void)thread;
  return (mach_port_t)syscall(SYS_gettid);
}

uint64_t clock_gettime_nsec_np(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* One image: a segment of data, one of code, and its identity. */
static struct {
  struct mach_header_64 header;
  struct segment_command_64 data, text;
  struct uuid_command uuid;
} image = {
  {MH_MAGIC_64, 0, 0, 2, 3, sizeof image - sizeof image.header, 0, 0},
  {LC_SEGMENT_64, sizeof image.data, "__DATA", 0x9000, 0x1000, 0, 0, 0, 0, 0, 0},
  {LC_SEGMENT_64, sizeof image.text, SEG_TEXT, 0x1000, 0x4000, 0, 0, 0, 0, 0, 0},
  {LC_UUID, sizeof image.uuid, {1, 2, 3}},
};

uint32_t _dyld_image_count(void) { return 1; }

const struct mach_header *_dyld_get_image_header(uint32_t index) {
  (void)index;
  return (const void *)&image;
}

intptr_t _dyld_get_image_vmaddr_slide(uint32_t index) { return (intptr_t)index + 0x10000; }

const char *_dyld_get_image_name(uint32_t index) { return index == 0 ? "/Applications/Feed" : NULL; }
