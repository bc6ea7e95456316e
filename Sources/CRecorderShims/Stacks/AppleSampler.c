#include "Sampler.h"

#ifdef SCROLLTRACE_HAS_APPLE_STACKS

#include <dlfcn.h>
#include <mach-o/dyld.h>
#include <mach-o/loader.h>
#include <mach/mach_time.h>
#include <string.h>

#include "CRecorderShims.h"

// ---- In the sampled thread --------------------------------------------------------------------------

uint64_t scrolltrace_end_of_stack(void) {
  return (uintptr_t)pthread_get_stackaddr_np(pthread_self());
}

void scrolltrace_prepare_thread(scrolltrace_sampled_thread *thread, clockid_t clock) {
  (void)clock;
  thread->system.port = pthread_mach_thread_np(thread->thread);
}

void scrolltrace_release_thread(scrolltrace_sampled_thread *thread) {
  thread->system.port = MACH_PORT_NULL;
}

void scrolltrace_wake(scrolltrace_sampler *sampler) { semaphore_signal(sampler->system.awake); }

// ---- In the helper thread ---------------------------------------------------------------------------

scrolltrace_sampler_problem scrolltrace_prepare_sampler(scrolltrace_sampler *sampler) {
  semaphore_t *awake = &sampler->system.awake;
  const bool is_made = *awake != MACH_PORT_NULL
      || semaphore_create(mach_task_self(), awake, SYNC_POLICY_FIFO, 0) == KERN_SUCCESS;
  return is_made ? SCROLLTRACE_SAMPLER_FINE : SCROLLTRACE_SAMPLER_NO_MEMORY;
}

void scrolltrace_sleep(scrolltrace_sampler *sampler) { semaphore_wait(sampler->system.awake); }

bool scrolltrace_take_sample(
    scrolltrace_sampled_thread *thread, scrolltrace_stack_sample *sample) {
  // A look makes its sample itself.
  (void)thread, (void)sample;
  return false;
}

static bool read_registers(thread_act_t port, scrolltrace_registers *registers) {
#if defined(__aarch64__)
  arm_thread_state64_t state;
  mach_msg_type_number_t count = ARM_THREAD_STATE64_COUNT;
  if (thread_get_state(port, ARM_THREAD_STATE64, (thread_state_t)&state, &count) != KERN_SUCCESS)
    return false;
  registers->pc = (uint64_t)arm_thread_state64_get_pc(state);
  registers->sp = (uint64_t)arm_thread_state64_get_sp(state);
  registers->fp = (uint64_t)arm_thread_state64_get_fp(state);
  registers->lr = scrolltrace_plain_address((uint64_t)arm_thread_state64_get_lr(state));
#else
  x86_thread_state64_t state;
  mach_msg_type_number_t count = x86_THREAD_STATE64_COUNT;
  if (thread_get_state(port, x86_THREAD_STATE64, (thread_state_t)&state, &count) != KERN_SUCCESS)
    return false;
  registers->pc = state.__rip;
  registers->sp = state.__rsp;
  registers->fp = state.__rbp;
  registers->lr = 0;
#endif
  return true;
}

/// Inserts the caller of a function without a frame, such as `objc_msgSend`, which only the register knows.
///
/// A function with a frame may have left its own address there with its last call. So the register counts
/// only if it lies in another function, as far as symbols tell; the nearest symbol before two addresses of
/// one function is the same.
static void add_caller_of_leaf(
    scrolltrace_registers registers, uint64_t *addresses, uint32_t *count) {
  const uint64_t caller = registers.lr - 1;
  if (registers.lr == 0 || *count >= SCROLLTRACE_MOST_FUNCTIONS) return;
  if (*count > 1 && addresses[1] == caller) return;
  Dl_info here, there;
  if (!dladdr((const void *)(uintptr_t)registers.pc, &here)
      || !dladdr((const void *)(uintptr_t)caller, &there)
      || (here.dli_fbase == there.dli_fbase && here.dli_saddr == there.dli_saddr))
    return;
  memmove(addresses + 2, addresses + 1, (*count - 1) * sizeof *addresses);
  addresses[1] = caller;
  (*count)++;
}

/// Whether a thread waits, for whatever it is: its run loop and a lock look the same from outside.
static bool is_waiting(thread_act_t port) {
  thread_basic_info_data_t information;
  mach_msg_type_number_t count = THREAD_BASIC_INFO_COUNT;
  return thread_info(port, THREAD_BASIC_INFO, (thread_info_t)&information, &count) == KERN_SUCCESS
      && information.run_state == TH_STATE_WAITING;
}

bool scrolltrace_look(
    scrolltrace_sampler *sampler, scrolltrace_sampled_thread *thread, bool is_between_frames,
    scrolltrace_stack_sample *sample) {
  bool is_made = false;
  pthread_mutex_lock(&thread->lock);
  const uint64_t start = scrolltrace_clock(sampler->clock);
  const thread_act_t port = thread->system.port;
  const bool works = __atomic_load_n(&thread->works, __ATOMIC_ACQUIRE);
  const bool is_let_be = port == MACH_PORT_NULL || (is_between_frames && !works && is_waiting(port));
  if (!is_let_be && thread_suspend(port) == KERN_SUCCESS) {
    scrolltrace_registers registers;
    is_made = read_registers(port, &registers);
    bool is_whole = false;
    // On another stack, such as a coroutine's, only the innermost function is known.
    const uint64_t top = is_made && registers.sp < thread->top ? thread->top : 0;
    if (is_made)
      is_whole = scrolltrace_walk_frame_pointers(
          registers, top, sampler->addresses, SCROLLTRACE_MOST_FUNCTIONS, &sample->count);
    thread_resume(port);
    if (is_made) add_caller_of_leaf(registers, sampler->addresses, &sample->count);
    sampler->count++;
    sampler->time += scrolltrace_clock(sampler->clock) - start;
    sample->time = start;
    sample->addresses = sampler->addresses;
    sample->is_cut = !is_whole;
  }
  pthread_mutex_unlock(&thread->lock);
  return is_made;
}

bool scrolltrace_sampler_is_refused(const scrolltrace_sampler *sampler) {
  (void)sampler;
  return false;
}

void scrolltrace_sleep_until(scrolltrace_sampler *sampler, uint64_t time) {
  if (scrolltrace_sampler_stops(sampler)) return;
  const uint64_t now = scrolltrace_clock(CLOCK_MONOTONIC);
  if (time <= now) return;
  // In ticks: the clock of the call, which a correction of the wall clock does not move.
  mach_timebase_info_data_t base;
  if (mach_timebase_info(&base) != KERN_SUCCESS || base.numer == 0) return;
  const uint64_t awake = scrolltrace_clock(CLOCK_UPTIME_RAW) + (time - now);
  mach_wait_until((uint64_t)((unsigned __int128)awake * base.denom / base.numer));
}

void scrolltrace_measure_signal(scrolltrace_sampler *sampler) { (void)sampler; }

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
    scrolltrace_module *module = &sampler->system.modules[*count];
    *module = (scrolltrace_module){.bias = slide};
    const void *header = _dyld_get_image_header(index);
    const char *path = _dyld_get_image_name(index);
    if (!read_image(header, slide, module)) continue;
    if (path) strncpy(module->path, path, sizeof module->path - 1);
    (*count)++;
  }
  return sampler->system.modules;
}

#endif
