/* A thread that allocates, forks, loads libraries and throws while it is sampled every 100 µs through the
   sampler alone. Run with sanitizers: it has to end. The argument is its time in seconds. */

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <string>

extern "C" {
#include "StackSampler.h"
}

namespace {

const uint64_t period = 100000;
std::atomic<bool> is_over{false};
uint64_t samples, functions, cut;

uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void keep(const scrolltrace_stack_sample &sample) {
  samples++;
  cut += sample.is_cut;
  functions += sample.count;
}

/// Looks at the sampled thread as the recorder's helper thread does.
void *look(void *argument) {
  auto sampler = static_cast<scrolltrace_sampler *>(argument);
  for (uint64_t next = now(); !is_over; next += period) {
    auto thread = scrolltrace_next_sampled_thread(sampler, nullptr);
    scrolltrace_stack_sample sample;
    if (scrolltrace_take_sample(thread, &sample)) keep(sample);
    if (scrolltrace_look(sampler, thread, false, &sample)) keep(sample);
    uint32_t count;
    scrolltrace_list_modules(sampler, &count);
    scrolltrace_sleep_until(sampler, next);
  }
  return nullptr;
}

__attribute__((noinline)) size_t throws(int depth) {
  std::string text(100 + (size_t)depth, 'x');
  if (depth == 0) throw std::runtime_error(text);
  return throws(depth - 1) + text.size();
}

void throw_and_catch(int depth) {
  try {
    throws(depth);
  } catch (const std::exception &) {
  }
}

void load() {
  for (const char *name : {"libz.so.1", "libm.so.6", "libutil.so.1", "libresolv.so.2"}) {
    void *library = dlopen(name, RTLD_NOW);
    if (library) dlclose(library);
  }
}

void fork_and_wait() {
  pid_t child = fork();
  if (child == 0) _exit(0);
  while (child > 0 && waitpid(child, nullptr, 0) < 0) {
  }
}

}  // namespace

int main(int count, char **arguments) {
  const uint64_t end = now() + (count > 1 ? strtoull(arguments[1], nullptr, 10) : 1) * 1000000000;
  scrolltrace_sampler_problem problem;
  scrolltrace_sampler *sampler = scrolltrace_make_sampler(CLOCK_MONOTONIC, &problem);
  if (!sampler) return 2;
  scrolltrace_sampled_thread *thread = scrolltrace_sample_thread(sampler);
  pthread_t helper;
  pthread_create(&helper, nullptr, look, sampler);
  uint64_t rounds = 0;
  for (; now() < end; rounds++) {
    scrolltrace_sampled_frame_begins(thread, "", now(), now(), 0);
    for (int depth = 0; depth < 50; depth++) throw_and_catch(depth);
    load();
    if (rounds % 8 == 0) fork_and_wait();
    usleep(200);
    scrolltrace_sampled_frame_ends(thread, now(), now());
  }
  is_over = true;
  pthread_join(helper, nullptr);
  scrolltrace_forget_sampled_thread(sampler, thread);
  scrolltrace_free_sampler(sampler);
  printf("%llu rounds, %llu samples, %llu functions, %llu stacks cut\n", (unsigned long long)rounds,
         (unsigned long long)samples, (unsigned long long)functions, (unsigned long long)cut);
  return samples > 0 ? 0 : 1;
}
