#include "StackSampler.h"
#include "AppleSampler.h"
#include "Unwind.h"

#if !defined(SCROLLTRACE_HAS_STACKS) && !defined(SCROLLTRACE_HAS_APPLE_STACKS)

#include <stddef.h>

// No system on which stacks are sampled.
#pragma GCC diagnostic ignored "-Wunused-parameter"

scrolltrace_sampler *scrolltrace_make_sampler(
    clockid_t clock, scrolltrace_sampler_problem *problem) {
  *problem = SCROLLTRACE_SAMPLER_UNSUPPORTED;
  return NULL;
}

void scrolltrace_free_sampler(scrolltrace_sampler *sampler) {}

scrolltrace_sampled_thread *scrolltrace_sample_thread(scrolltrace_sampler *sampler) { return NULL; }

void scrolltrace_forget_sampled_thread(
    scrolltrace_sampler *sampler, scrolltrace_sampled_thread *thread) {}

void scrolltrace_sampled_frame_begins(
    scrolltrace_sampled_thread *thread, const void *surface, uint64_t start, uint64_t deadline,
    uint64_t interval) {}

void scrolltrace_sampled_frame_ends(
    scrolltrace_sampled_thread *thread, uint64_t start, uint64_t end) {}

scrolltrace_sampled_thread *scrolltrace_next_sampled_thread(
    scrolltrace_sampler *sampler, scrolltrace_sampled_thread *thread) { return NULL; }

uint32_t scrolltrace_sampled_thread_id(const scrolltrace_sampled_thread *thread) { return 0; }

scrolltrace_sampled_frame scrolltrace_read_sampled_frame(const scrolltrace_sampled_thread *thread) {
  return (scrolltrace_sampled_frame){0, 0, 0, 0, 0};
}

void scrolltrace_set_sampled_work(scrolltrace_sampled_thread *thread, bool works) {}

void scrolltrace_set_sampled_motion(scrolltrace_sampler *sampler, uint64_t start) {}

uint64_t scrolltrace_read_sampled_motion(const scrolltrace_sampler *sampler) { return 0; }

bool scrolltrace_take_sample(
    scrolltrace_sampled_thread *thread, scrolltrace_stack_sample *sample) { return false; }

bool scrolltrace_look(
    scrolltrace_sampler *sampler, scrolltrace_sampled_thread *thread, bool is_between_frames,
    scrolltrace_stack_sample *sample) { return false; }

bool scrolltrace_sampler_is_refused(const scrolltrace_sampler *sampler) { return false; }

void scrolltrace_sleep_until(scrolltrace_sampler *sampler, uint64_t time) {}

void scrolltrace_wait_for_frame(scrolltrace_sampler *sampler) {}

void scrolltrace_stop_sampler(scrolltrace_sampler *sampler) {}

bool scrolltrace_sampler_stops(const scrolltrace_sampler *sampler) { return true; }

void scrolltrace_measure_signal(scrolltrace_sampler *sampler) {}

scrolltrace_sampling_cost scrolltrace_read_sampling_cost(const scrolltrace_sampler *sampler) {
  return (scrolltrace_sampling_cost){0, 0, 0};
}

void scrolltrace_refresh_modules(scrolltrace_sampler *sampler) {}

const scrolltrace_module *scrolltrace_list_modules(scrolltrace_sampler *sampler, uint32_t *count) {
  *count = 0;
  return NULL;
}

#endif
