// What the sampler for Apple's systems uses of their headers, as these declare it.

#ifndef STAND_IN_MACH_H
#define STAND_IN_MACH_H

#include <pthread.h>
#include <stdint.h>

typedef int kern_return_t;
typedef mach_port_t thread_act_t, task_t, semaphore_t;
typedef uint32_t mach_msg_type_number_t;
typedef int thread_state_flavor_t;
typedef uint32_t *thread_state_t;

#define KERN_SUCCESS 0
#define MACH_PORT_NULL 0
#define SYNC_POLICY_FIFO 0

kern_return_t thread_suspend(thread_act_t thread);
kern_return_t thread_resume(thread_act_t thread);
kern_return_t thread_get_state(
    thread_act_t thread, thread_state_flavor_t flavor, thread_state_t state,
    mach_msg_type_number_t *count);

typedef int *thread_info_t;
typedef struct {
  int user_time[2], system_time[2], cpu_usage, policy, run_state, flags, suspend_count, sleep_time;
} thread_basic_info_data_t;
#define THREAD_BASIC_INFO 3
#define THREAD_BASIC_INFO_COUNT \
  ((mach_msg_type_number_t)(sizeof(thread_basic_info_data_t) / sizeof(int)))
#define TH_STATE_RUNNING 1
#define TH_STATE_WAITING 3

kern_return_t thread_info(
    thread_act_t thread, int flavor, thread_info_t information, mach_msg_type_number_t *count);

extern mach_port_t mach_task_self_;
#define mach_task_self() mach_task_self_

kern_return_t semaphore_create(task_t task, semaphore_t *semaphore, int policy, int value);
kern_return_t semaphore_signal(semaphore_t semaphore);
kern_return_t semaphore_wait(semaphore_t semaphore);

#if defined(__aarch64__)
typedef struct {
  uint64_t x[29], fp, lr, sp, pc;
  uint32_t cpsr, flags;
} arm_thread_state64_t;
#define ARM_THREAD_STATE64 6
#define ARM_THREAD_STATE64_COUNT \
  ((mach_msg_type_number_t)(sizeof(arm_thread_state64_t) / sizeof(uint32_t)))
#define arm_thread_state64_get_pc(state) ((uintptr_t)(state).pc)
#define arm_thread_state64_get_sp(state) ((uintptr_t)(state).sp)
#define arm_thread_state64_get_fp(state) ((uintptr_t)(state).fp)
#define arm_thread_state64_get_lr(state) ((uintptr_t)(state).lr)
#else
typedef struct {
  uint64_t __rax, __rbx, __rcx, __rdx, __rdi, __rsi, __rbp, __rsp, __r8, __r9, __r10, __r11, __r12,
      __r13, __r14, __r15, __rip, __rflags, __cs, __fs, __gs;
} x86_thread_state64_t;
#define x86_THREAD_STATE64 4
#define x86_THREAD_STATE64_COUNT \
  ((mach_msg_type_number_t)(sizeof(x86_thread_state64_t) / sizeof(uint32_t)))
#endif

#endif
