#include "AppleSampler.h"

#ifdef SCROLLTRACE_HAS_APPLE_STACKS

#include <mach-o/dyld.h>
#include <mach-o/loader.h>
#include <mach/mach.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "CRecorderShims.h"
#include "SampledFrames.h"

enum {
  MOST_FUNCTIONS = 512,
  MOST_IMAGES = 2048,
};

struct scrolltrace_sampled_thread {
  // Threads are never freed, only used again.
  scrolltrace_sampled_thread *next;
  scrolltrace_sampler *sampler;
  /// Held while the thread is looked at, so that it does not end meanwhile.
  pthread_mutex_t lock;
  pthread_t thread;
  thread_act_t port;
  uint64_t id;
  /// The stack's end.
  uint64_t top;
  sampled_frames frames;
};

struct scrolltrace_sampler {
  // Samplers are never freed, only used again: a frame may begin while its recording ends.
  scrolltrace_sampler *next;
  uint32_t is_taken;
  clockid_t clock;
  uint32_t stops;
  /// 1 while the helper waits for a frame.
  uint32_t sleeps;
  semaphore_t awake;
  /// How often a thread was suspended, and for how long in all, in nanoseconds.
  uint64_t count, time;
  uint64_t addresses[MOST_FUNCTIONS];
  scrolltrace_module modules[MOST_IMAGES];
};

static scrolltrace_sampled_thread *first_thread;
static scrolltrace_sampler *first_sampler;

// ---- In the sampled thread --------------------------------------------------------------------------

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
  thread->sampler = sampler;
  thread->next = __atomic_load_n(&first_thread, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(
      &first_thread, &thread->next, thread, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  return thread;
}

scrolltrace_sampled_thread *scrolltrace_sample_thread(scrolltrace_sampler *sampler) {
  scrolltrace_sampled_thread *thread = take_thread(sampler);
  if (!thread) return NULL;
  pthread_mutex_lock(&thread->lock);
  thread->thread = pthread_self();
  thread->id = scrolltrace_thread_id();
  thread->top = (uintptr_t)pthread_get_stackaddr_np(thread->thread);
  scrolltrace_reset_frames(&thread->frames);
  thread->port = pthread_mach_thread_np(thread->thread);
  pthread_mutex_unlock(&thread->lock);
  return thread;
}

/// Makes a thread, which is locked, available to others.
static void release(scrolltrace_sampled_thread *thread) {
  thread->port = MACH_PORT_NULL;
  __atomic_store_n(&thread->sampler, NULL, __ATOMIC_RELEASE);
}

void scrolltrace_forget_sampled_thread(
    scrolltrace_sampler *sampler, scrolltrace_sampled_thread *thread) {
  pthread_mutex_lock(&thread->lock);
  // After the recording has ended, it may be another's.
  if (thread->sampler == sampler && pthread_equal(thread->thread, pthread_self())) release(thread);
  pthread_mutex_unlock(&thread->lock);
}

/// Lets the helper go on if it sleeps.
static void wake(scrolltrace_sampler *sampler) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (__atomic_exchange_n(&sampler->sleeps, 0, __ATOMIC_RELAXED)) semaphore_signal(sampler->awake);
}

void scrolltrace_sampled_frame_begins(
    scrolltrace_sampled_thread *thread, const void *surface, uint64_t start, uint64_t deadline) {
  scrolltrace_open_frame(&thread->frames, surface, start, deadline);
  scrolltrace_sampler *sampler = __atomic_load_n(&thread->sampler, __ATOMIC_ACQUIRE);
  if (sampler) wake(sampler);
}

void scrolltrace_sampled_frame_ends(
    scrolltrace_sampled_thread *thread, uint64_t start, uint64_t end) {
  if (!pthread_equal(thread->thread, pthread_self())) return;
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
  if (semaphore_create(mach_task_self(), &sampler->awake, SYNC_POLICY_FIFO, 0) != KERN_SUCCESS) {
    free(sampler);
    return NULL;
  }
  sampler->is_taken = 1;
  sampler->next = __atomic_load_n(&first_sampler, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(
      &first_sampler, &sampler->next, sampler, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  return sampler;
}

scrolltrace_sampler *scrolltrace_make_sampler(
    clockid_t clock, scrolltrace_sampler_problem *problem) {
  scrolltrace_sampler *sampler = take_sampler();
  *problem = sampler ? SCROLLTRACE_SAMPLER_FINE : SCROLLTRACE_SAMPLER_NO_MEMORY;
  if (!sampler) return NULL;
  sampler->clock = clock;
  sampler->count = 0;
  sampler->time = 0;
  __atomic_store_n(&sampler->stops, 0, __ATOMIC_RELAXED);
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
  // A look makes its sample itself.
  (void)thread, (void)sample;
  return false;
}

/// Where a suspended thread is.
typedef struct registers {
  uint64_t pc, sp, fp;
} registers;

static bool read_registers(thread_act_t port, registers *registers) {
#if defined(__aarch64__)
  arm_thread_state64_t state;
  mach_msg_type_number_t count = ARM_THREAD_STATE64_COUNT;
  if (thread_get_state(port, ARM_THREAD_STATE64, (thread_state_t)&state, &count) != KERN_SUCCESS)
    return false;
  registers->pc = (uint64_t)arm_thread_state64_get_pc(state);
  registers->sp = (uint64_t)arm_thread_state64_get_sp(state);
  registers->fp = (uint64_t)arm_thread_state64_get_fp(state);
#else
  x86_thread_state64_t state;
  mach_msg_type_number_t count = x86_THREAD_STATE64_COUNT;
  if (thread_get_state(port, x86_THREAD_STATE64, (thread_state_t)&state, &count) != KERN_SUCCESS)
    return false;
  registers->pc = state.__rip;
  registers->sp = state.__rsp;
  registers->fp = state.__rbp;
#endif
  return true;
}

/// Removes the signature of a return address.
static uint64_t plain_address(uint64_t address) {
#if defined(__aarch64__)
  return address & (((uint64_t)1 << 47) - 1);
#else
  return address;
#endif
}

/// A word that may lie anywhere.
typedef struct __attribute__((packed, may_alias)) stack_word {
  uint64_t value;
} stack_word;

__attribute__((no_sanitize("address", "thread")))
static uint64_t read_stack(uint64_t address) {
  return ((const volatile stack_word *)(uintptr_t)address)->value;
}

/// Walks a suspended thread's stack by its frame pointers, which all code on these systems keeps; whether
/// it reaches the outermost function. Nothing here allocates or locks: the thread may hold any lock.
///
/// A function that has not set up its frame, or keeps none because it calls nothing, hides its caller.
static bool walk(
    registers registers, uint64_t top, uint64_t *addresses, uint32_t *count) {
  *count = 0;
  addresses[(*count)++] = registers.pc;
  uint64_t low = registers.sp;
  uint64_t frame = registers.fp;
  while (*count < MOST_FUNCTIONS) {
    if (frame == 0) return true;
    if (frame < low || top < 16 || frame > top - 16 || frame & 7) return false;
    const uint64_t address = plain_address(read_stack(frame + 8));
    if (address == 0) return true;
    addresses[(*count)++] = address - 1;
    low = frame + 16;
    frame = read_stack(frame);
  }
  return false;
}

bool scrolltrace_look(
    scrolltrace_sampler *sampler, scrolltrace_sampled_thread *thread,
    scrolltrace_stack_sample *sample) {
  bool is_made = false;
  pthread_mutex_lock(&thread->lock);
  const uint64_t start = scrolltrace_clock(sampler->clock);
  if (thread->port != MACH_PORT_NULL && thread_suspend(thread->port) == KERN_SUCCESS) {
    registers registers;
    is_made = read_registers(thread->port, &registers);
    bool is_whole = false;
    // On another stack, such as a coroutine's, only the innermost function is known.
    const uint64_t top = is_made && registers.sp < thread->top ? thread->top : 0;
    if (is_made) is_whole = walk(registers, top, sampler->addresses, &sample->count);
    thread_resume(thread->port);
    sampler->count++;
    sampler->time += scrolltrace_clock(sampler->clock) - start;
    sample->time = start;
    sample->addresses = sampler->addresses;
    sample->is_cut = !is_whole;
  }
  pthread_mutex_unlock(&thread->lock);
  return is_made;
}

void scrolltrace_sleep_until(scrolltrace_sampler *sampler, uint64_t time) {
  if (scrolltrace_sampler_stops(sampler)) return;
  const uint64_t now = scrolltrace_clock(CLOCK_MONOTONIC);
  if (time <= now) return;
  const uint64_t length = time - now;
  const struct timespec pause = {(time_t)(length / 1000000000u), (long)(length % 1000000000u)};
  nanosleep(&pause, NULL);
}

void scrolltrace_wait_for_frame(scrolltrace_sampler *sampler) {
  __atomic_store_n(&sampler->sleeps, 1, __ATOMIC_SEQ_CST);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  bool is_needed = scrolltrace_sampler_stops(sampler);
  scrolltrace_sampled_thread *thread = NULL;
  while ((thread = scrolltrace_next_sampled_thread(sampler, thread)))
    is_needed |= scrolltrace_read_sampled_frame(thread).number & 1;
  // Whoever has taken the word back signals, or has done so.
  if (is_needed && __atomic_exchange_n(&sampler->sleeps, 0, __ATOMIC_SEQ_CST)) return;
  semaphore_wait(sampler->awake);
}

void scrolltrace_stop_sampler(scrolltrace_sampler *sampler) {
  __atomic_store_n(&sampler->stops, 1, __ATOMIC_SEQ_CST);
  wake(sampler);
}

bool scrolltrace_sampler_stops(const scrolltrace_sampler *sampler) {
  return __atomic_load_n(&sampler->stops, __ATOMIC_ACQUIRE) != 0;
}

void scrolltrace_measure_signal(scrolltrace_sampler *sampler) { (void)sampler; }

scrolltrace_sampling_cost scrolltrace_read_sampling_cost(const scrolltrace_sampler *sampler) {
  return (scrolltrace_sampling_cost){
    sampler->count, sampler->time, scrolltrace_clock(CLOCK_THREAD_CPUTIME_ID)};
}

// ---- Modules ----------------------------------------------------------------------------------------

void scrolltrace_refresh_modules(scrolltrace_sampler *sampler) { (void)sampler; }

/// Reads the code's segment and the identity of an image; whether there is a segment of code.
static bool read_image(const struct mach_header_64 *header, uint64_t slide, scrolltrace_module *module) {
  if (!header || header->magic != MH_MAGIC_64) return false;
  const uint8_t *at = (const uint8_t *)(header + 1);
  const uint8_t *end = at + header->sizeofcmds;
  for (uint32_t index = 0; index < header->ncmds; index++) {
    struct load_command command;
    if ((size_t)(end - at) < sizeof command) break;
    memcpy(&command, at, sizeof command);
    if (command.cmdsize < sizeof command || command.cmdsize > (size_t)(end - at)) break;
    if (command.cmd == LC_SEGMENT_64 && command.cmdsize >= sizeof(struct segment_command_64)) {
      struct segment_command_64 segment;
      memcpy(&segment, at, sizeof segment);
      // The other segments of the system's libraries lie far away, between those of others.
      if (strncmp(segment.segname, SEG_TEXT, sizeof segment.segname) == 0) {
        module->start = slide + segment.vmaddr;
        module->end = module->start + segment.vmsize;
      }
    } else if (command.cmd == LC_UUID && command.cmdsize >= sizeof(struct uuid_command)) {
      struct uuid_command uuid;
      memcpy(&uuid, at, sizeof uuid);
      module->build_id_length = sizeof uuid.uuid;
      memcpy(module->build_id, uuid.uuid, sizeof uuid.uuid);
    }
    at += command.cmdsize;
  }
  return module->end > module->start;
}

const scrolltrace_module *scrolltrace_list_modules(scrolltrace_sampler *sampler, uint32_t *count) {
  *count = 0;
  const uint32_t images = _dyld_image_count();
  for (uint32_t index = 0; index < images && *count < MOST_IMAGES; index++) {
    const uint64_t slide = (uint64_t)_dyld_get_image_vmaddr_slide(index);
    scrolltrace_module *module = &sampler->modules[*count];
    *module = (scrolltrace_module){.bias = slide};
    const void *header = _dyld_get_image_header(index);
    const char *path = _dyld_get_image_name(index);
    if (!read_image(header, slide, module)) continue;
    if (path) strncpy(module->path, path, sizeof module->path - 1);
    (*count)++;
  }
  return sampler->modules;
}

#endif
