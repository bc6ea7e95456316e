#include "Sampler.h"

#if defined(SCROLLTRACE_HAS_STACKS) || defined(SCROLLTRACE_HAS_APPLE_STACKS)

#include <errno.h>
#include <stdlib.h>

#include "CRecorderShims.h"

static scrolltrace_sampled_thread *first_thread;
static scrolltrace_sampler *first_sampler;

scrolltrace_sampled_thread *scrolltrace_next_thread(const scrolltrace_sampled_thread *thread) {
  return thread ? thread->next : __atomic_load_n(&first_thread, __ATOMIC_ACQUIRE);
}

// ---- In the sampled thread --------------------------------------------------------------------------

/// A thread that nobody uses, or a new one.
static scrolltrace_sampled_thread *take_thread(scrolltrace_sampler *sampler) {
  scrolltrace_sampled_thread *thread = NULL;
  while ((thread = scrolltrace_next_thread(thread))) {
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
  const int error = errno;
  scrolltrace_sampled_thread *thread = take_thread(sampler);
  if (thread) {
    pthread_mutex_lock(&thread->lock);
    thread->thread = pthread_self();
    thread->id = scrolltrace_thread_id();
    thread->top = scrolltrace_end_of_stack();
    scrolltrace_reset_frames(&thread->frames);
    __atomic_store_n(&thread->works, 0, __ATOMIC_RELAXED);
    scrolltrace_prepare_thread(thread, sampler->clock);
    pthread_mutex_unlock(&thread->lock);
  }
  errno = error;
  return thread;
}

/// Makes a thread, which is locked, available to others.
static void release(scrolltrace_sampled_thread *thread) {
  // A thread that is just taken is not ready yet.
  if (thread->id != 0) scrolltrace_release_thread(thread);
  thread->id = 0;
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
  if (__atomic_load_n(&sampler->sleeps, __ATOMIC_RELAXED) == 0) return;
  // Whoever takes the word back wakes.
  if (__atomic_exchange_n(&sampler->sleeps, 0, __ATOMIC_RELAXED)) scrolltrace_wake(sampler);
}

void scrolltrace_sampled_frame_begins(
    scrolltrace_sampled_thread *thread, const void *surface, uint64_t start, uint64_t deadline,
    uint64_t interval) {
  scrolltrace_open_frame(&thread->frames, surface, start, deadline, interval);
  scrolltrace_sampler *sampler = __atomic_load_n(&thread->sampler, __ATOMIC_ACQUIRE);
  if (sampler) wake(sampler);
}

void scrolltrace_sampled_frame_ends(
    scrolltrace_sampled_thread *thread, uint64_t start, uint64_t end) {
  if (!pthread_equal(thread->thread, pthread_self())) return;
  scrolltrace_close_frame(&thread->frames, start, end);
}

void scrolltrace_set_sampled_work(scrolltrace_sampled_thread *thread, bool works) {
  if (!pthread_equal(thread->thread, pthread_self())) return;
  __atomic_store_n(&thread->works, works, __ATOMIC_RELEASE);
  scrolltrace_sampler *sampler = __atomic_load_n(&thread->sampler, __ATOMIC_ACQUIRE);
  if (works && sampler && scrolltrace_read_sampled_motion(sampler) != 0) wake(sampler);
}

void scrolltrace_set_sampled_motion(scrolltrace_sampler *sampler, uint64_t start) {
  __atomic_store_n(&sampler->motion, start, __ATOMIC_RELEASE);
  if (start != 0) wake(sampler);
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
  *problem = SCROLLTRACE_SAMPLER_NO_MEMORY;
  scrolltrace_sampler *sampler = take_sampler();
  if (!sampler) return NULL;
  sampler->clock = clock;
  sampler->count = 0;
  sampler->time = 0;
  __atomic_store_n(&sampler->stops, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&sampler->motion, 0, __ATOMIC_RELAXED);
  *problem = scrolltrace_prepare_sampler(sampler);
  if (*problem != SCROLLTRACE_SAMPLER_FINE) {
    __atomic_store_n(&sampler->is_taken, 0, __ATOMIC_RELEASE);
    return NULL;
  }
  scrolltrace_refresh_modules(sampler);
  return sampler;
}

void scrolltrace_free_sampler(scrolltrace_sampler *sampler) {
  scrolltrace_sampled_thread *thread = NULL;
  while ((thread = scrolltrace_next_thread(thread))) {
    pthread_mutex_lock(&thread->lock);
    if (thread->sampler == sampler) release(thread);
    pthread_mutex_unlock(&thread->lock);
  }
  __atomic_store_n(&sampler->is_taken, 0, __ATOMIC_RELEASE);
}

scrolltrace_sampled_thread *scrolltrace_next_sampled_thread(
    scrolltrace_sampler *sampler, scrolltrace_sampled_thread *thread) {
  do thread = scrolltrace_next_thread(thread);
  while (thread && __atomic_load_n(&thread->sampler, __ATOMIC_ACQUIRE) != sampler);
  return thread;
}

uint32_t scrolltrace_sampled_thread_id(const scrolltrace_sampled_thread *thread) {
  return (uint32_t)thread->id;
}

scrolltrace_sampled_frame scrolltrace_read_sampled_frame(const scrolltrace_sampled_thread *thread) {
  return scrolltrace_read_frames(&thread->frames);
}

uint64_t scrolltrace_read_sampled_motion(const scrolltrace_sampler *sampler) {
  return __atomic_load_n(&sampler->motion, __ATOMIC_ACQUIRE);
}

void scrolltrace_wait_for_frame(scrolltrace_sampler *sampler) {
  __atomic_store_n(&sampler->sleeps, 1, __ATOMIC_SEQ_CST);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  bool is_needed = scrolltrace_sampler_stops(sampler);
  scrolltrace_sampled_thread *thread = NULL;
  while ((thread = scrolltrace_next_sampled_thread(sampler, thread))) {
    const scrolltrace_sampled_frame frame = scrolltrace_read_sampled_frame(thread);
    is_needed |= (frame.number & 1) != 0
        || (frame.interval > 0 && scrolltrace_read_sampled_motion(sampler) != 0
            && __atomic_load_n(&thread->works, __ATOMIC_ACQUIRE));
  }
  // Whoever has taken the word back wakes, or has done so.
  if (is_needed && __atomic_exchange_n(&sampler->sleeps, 0, __ATOMIC_SEQ_CST)) return;
  scrolltrace_sleep(sampler);
}

void scrolltrace_stop_sampler(scrolltrace_sampler *sampler) {
  __atomic_store_n(&sampler->stops, 1, __ATOMIC_SEQ_CST);
  wake(sampler);
}

bool scrolltrace_sampler_stops(const scrolltrace_sampler *sampler) {
  return __atomic_load_n(&sampler->stops, __ATOMIC_ACQUIRE) != 0;
}

scrolltrace_sampling_cost scrolltrace_read_sampling_cost(const scrolltrace_sampler *sampler) {
  const uint64_t time = __atomic_load_n(&sampler->time, __ATOMIC_RELAXED);
  return (scrolltrace_sampling_cost){
    sampler->count, time + sampler->count * sampler->cost,
    scrolltrace_clock(CLOCK_THREAD_CPUTIME_ID)};
}

#endif
