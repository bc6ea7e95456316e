/* What a host does while its stacks are sampled. The first argument chooses. */

#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <scrolltrace.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A function that stays one, and whose calls do not become jumps. */
#define FUNCTION __attribute__((noinline)) static

typedef int64_t moment;

static moment now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

enum { COPIED = 1 << 20, COMPARED = 20, SORTED = 5000, DEPTH = 200, LEAF = 10000 };
#include "works.h"

FUNCTION void work_snprintf(int64_t end) {
  char text[200];
  while (now() < end) {
    for (int round = 0; round < 50; round++) {
      snprintf(text, sizeof text, "%d %s %g", round, "price", round * 1.5);
      __asm__ volatile("" ::"r"(text) : "memory");
    }
  }
  RETURN;
}

static void (*const works[])(int64_t) = {
    work_memcpy, work_malloc, work_qsort, work_snprintf,
    work_recursion, work_poll, work_usleep, work_leaf,
};

FUNCTION void outer(int work, int64_t end) {
  works[work](end);
  RETURN;
}

static scrolltrace_recorder *recorder;

static scrolltrace_frame begin(uint64_t id, int64_t length) {
  int64_t start = scrolltrace_now(recorder);
  scrolltrace_tick tick = {.begin = start, .deadline = start + length, .target = start + 2 * length,
                           .interval = length};
  return scrolltrace_frame_begin(recorder, NULL, id, &tick);
}

/* One late frame for each work. */
FUNCTION void make_chains(int64_t length) {
  for (int work = 0; work < 8; work++) {
    scrolltrace_frame frame = begin((uint64_t)work, 16000000);
    outer(work, now() + length);
    scrolltrace_frame_end(&frame);
  }
}

/* Frames that end in time. */
FUNCTION void make_frames(int count) {
  for (int index = 0; index < count; index++) {
    scrolltrace_frame frame = begin((uint64_t)index, 1000000000);
    outer(7, now() + 4000000);
    scrolltrace_frame_end(&frame);
  }
}

/* How many polls of 5 ms fail. */
FUNCTION void make_polls(void) {
  int failed = 0;
  scrolltrace_frame frame = begin(0, 16000000);
  for (int index = 0; index < 60; index++) failed += poll(NULL, 0, 5) < 0;
  scrolltrace_frame_end(&frame);
  printf("%d\n", failed);
}

FUNCTION void hang(void) {
  begin(0, 16000000);
  while (1) sum++;
}

/* Frames in time, and then one that never ends, with a drag around them or without. */
FUNCTION void hang_late(bool drags) {
  if (drags) scrolltrace_interaction_begin(recorder, SCROLLTRACE_INTERACTION_DRAG, NULL);
  for (uint64_t id = 1; id <= 40; id++) {
    int64_t start = now();
    scrolltrace_frame frame = begin(id, 16000000);
    outer(7, now() + 4000000);
    scrolltrace_frame_end(&frame);
    while (now() < start + 16000000) usleep(1000);
  }
  hang();
}

/* A child that makes frames of its own, while the parent has one. */
FUNCTION void make_fork(void) {
  scrolltrace_frame frame = begin(0, 16000000);
  pid_t child = fork();
  if (child == 0) {
    make_chains(20000000);
    _exit(0);
  }
  int status = 1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  outer(7, now() + 50000000);
  scrolltrace_frame_end(&frame);
  if (status != 0) exit(1);
}

FUNCTION void layout_row(uint64_t item) {
  scrolltrace_span span = scrolltrace_span_begin(recorder, SCROLLTRACE_CELL_CONFIGURE,
                                                 SCROLLTRACE_CATEGORY_CELL, item);
  for (uint64_t round = 0; round < 20000; round++) sum += round;
  scrolltrace_span_end(&span);
}

/* What nobody has wrapped in a span. */
FUNCTION void score_rows(int64_t end) {
  while (now() < end) {
    char text[64];
    for (int round = 0; round < 200; round++) snprintf(text, sizeof text, "%g", round / 7.0);
    memcpy(to, from, sizeof to);
  }
  RETURN;
}

FUNCTION void make_frame(uint64_t id) {
  scrolltrace_frame frame = begin(id, 16000000);
  scrolltrace_span phase = scrolltrace_phase_begin(&frame, SCROLLTRACE_PHASE_LAYOUT);
  for (uint64_t row = 0; row < 8; row++) layout_row(id * 8 + row);
  scrolltrace_span_end(&phase);
  if (id % 8 == 7) score_rows(now() + 40000000);
  scrolltrace_frame_end(&frame);
}

/* A feed whose every eighth frame is late by a function without a span. */
FUNCTION void make_feed(void) {
  scrolltrace_interaction drag = scrolltrace_interaction_begin(
      recorder, SCROLLTRACE_INTERACTION_DRAG, NULL);
  for (uint64_t id = 0; id < 64; id++) {
    int64_t start = now();
    make_frame(id);
    while (now() < start + 16000000) usleep(1000);
  }
  scrolltrace_interaction_end(&drag);
}

/* A callback of a timer, which nobody has wrapped in a span. */
FUNCTION void flush_events(int64_t end) {
  while (now() < end) {
    char text[64];
    for (int round = 0; round < 200; round++) snprintf(text, sizeof text, "%g", round / 7.0);
    sum += (uint64_t)text[0];
  }
  RETURN;
}

static int answer[2];

static void *answer_later(void *argument) {
  usleep(40000);
  return write(answer[1], "", 1) == 1 ? argument : NULL;
}

/* A callback of a timer, which waits for somebody else. */
FUNCTION void ask_author(void) {
  char byte;
  pthread_t author;
  pthread_create(&author, NULL, answer_later, NULL);
  while (read(answer[0], &byte, 1) < 0 && errno == EINTR) {
  }
  pthread_join(author, NULL);
}

/* Frames in time at the refreshes of a display, and now and then a timer that runs between two of them; its
 * mode says what it does, and whether the content moves. */
FUNCTION void make_timer_feed(const char *mode) {
  enum { REFRESH = 16000000 };
  const bool drags = strcmp(mode, "timer-at-rest") != 0;
  scrolltrace_interaction drag = {0};
  if (pipe(answer) != 0) exit(1);
  if (drags) drag = scrolltrace_interaction_begin(recorder, SCROLLTRACE_INTERACTION_DRAG, NULL);
  int64_t refresh = now();
  for (uint64_t id = 0; id < 64; id++) {
    scrolltrace_tick tick = {.begin = refresh, .deadline = refresh + REFRESH,
                             .target = refresh + 2 * REFRESH, .interval = REFRESH};
    scrolltrace_frame frame = scrolltrace_frame_begin(recorder, NULL, id, &tick);
    for (uint64_t row = 0; row < 8; row++) layout_row(id * 8 + row);
    scrolltrace_frame_end(&frame);
    const bool calls = id % 8 == 7 && strcmp(mode, "timer-held") != 0;
    if (calls && strcmp(mode, "timer-asks") == 0) ask_author();
    else if (calls) flush_events(now() + 40000000);
    /* The next frame has the time of the refresh that was missed, or of one that is still to come. */
    refresh += REFRESH;
    const bool is_told = calls && strcmp(mode, "timer-missed") == 0;
    while (!is_told && refresh <= now()) refresh += REFRESH;
    while (now() < refresh) poll(NULL, 0, 5);
  }
  /* The finger rests on the screen. */
  if (strcmp(mode, "timer-held") == 0) poll(NULL, 0, 500);
  scrolltrace_interaction_end(&drag);
  /* At rest. */
  outer(7, now() + 60000000);
}

static void *make_thread_frame(void *argument) {
  scrolltrace_frame frame = begin((uint64_t)(uintptr_t)argument, 1000000);
  outer(7, now() + 3000000);
  scrolltrace_frame_end(&frame);
  return NULL;
}

/* Threads that make one frame each and end. */
FUNCTION void make_threads(void) {
  for (uintptr_t index = 0; index < 100; index++) {
    pthread_t threads[2];
    for (uintptr_t each = 0; each < 2; each++)
      pthread_create(&threads[each], NULL, make_thread_frame, (void *)(2 * index + each));
    for (int each = 0; each < 2; each++) pthread_join(threads[each], NULL);
  }
}

static void *make_exec(void *program) {
  begin(1, 400000000);
  outer(7, now() + 2000000);
  execl(program, program, "nothing", "0", "-", (char *)NULL);
  return NULL;
}

/* Another program in the place of this one, while two threads are sampled. */
FUNCTION void exec_from_thread(const char *program) {
  pthread_t thread;
  pthread_create(&thread, NULL, make_exec, (void *)(uintptr_t)program);
  begin(0, 400000000);
  while (1) sum++;
}

/* How many of 300 programs that are recorded and then exec another end by a signal, and how many
 * otherwise than they should. */
FUNCTION void count_execs(char **arguments) {
  int killed = 0, failed = 0;
  char *child[] = {arguments[0], "exec", arguments[2], arguments[3], NULL};
  for (int run = 0; run < 300; run++) {
    pid_t process;
    int status = 0;
    if (posix_spawn(&process, child[0], NULL, NULL, child, NULL) != 0) exit(1);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    killed += WIFSIGNALED(status);
    failed += WIFEXITED(status) && WEXITSTATUS(status) != 0;
    unlink(arguments[3]);
  }
  printf("%d %d\n", killed, failed);
}

static void *make_small_frames(void *argument) {
  (void)argument;
  for (uint64_t id = 0; id < 20; id++) {
    scrolltrace_tick tick = {.begin = now(), .deadline = now() + 1000000, .interval = 16666667};
    scrolltrace_frame frame = scrolltrace_frame_begin(recorder, NULL, id, &tick);
    scrolltrace_state_set(recorder, SCROLLTRACE_NAME("screen"), SCROLLTRACE_NAME("Feed"));
    outer(7, now() + 5000000);
    scrolltrace_frame_end(&frame);
  }
  return NULL;
}

/* Frames on a thread with a stack of so many KiB; how many of them are used in the end. */
FUNCTION void make_small(size_t kilobytes) {
  const size_t size = kilobytes << 10;
  uint8_t *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(stack, 0xa5, size);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstack(&attributes, stack, size) != 0) exit(3);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, make_small_frames, NULL) != 0) exit(4);
  pthread_join(thread, NULL);
  size_t unused = 0;
  while (unused < size && stack[unused] == 0xa5) unused++;
  printf("%zu\n", (size - unused + 1023) >> 10);
}

/* Chains of calls whose samples are walked on a stack for signals; how many bytes of it are used, besides
 * those of the system. */
FUNCTION void make_alternate(void) {
  enum { SIZE = 64 << 10 };
  static uint8_t bytes[SIZE];
  memset(bytes, 0xa5, SIZE);
  stack_t stack = {.ss_sp = bytes, .ss_size = SIZE};
  if (sigaltstack(&stack, NULL) != 0) exit(3);
  make_chains(100000000);
  long unused = 0;
  while (unused < SIZE && bytes[unused] == 0xa5) unused++;
  printf("%ld\n", unused == SIZE ? 0 : SIZE - unused - sysconf(_SC_MINSIGSTKSZ));
}

/* Rounds of work in a millisecond on a core, so many functions deep. */
FUNCTION double speed(int depth) {
  if (depth > 0) {
    double inner = speed(depth - 1);
    RETURN;
    return inner;
  }
  struct timespec before, after;
  uint64_t rounds = 0;
  int64_t end = now() + 40000000;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
  for (; now() < end; rounds++)
    for (uint64_t round = 0; round < 20000; round++) sum += round;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
  double length = (double)(after.tv_sec - before.tv_sec) * 1e3
      + (double)(after.tv_nsec - before.tv_nsec) / 1e6;
  return (double)rounds / length;
}

static int compare_numbers(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return difference < 0 ? -1 : difference > 0;
}

/* How much slower a thread is with a frame open than right before or behind. */
FUNCTION void make_cost(int depth) {
  enum { PAIRS = 200 };
  static double shares[PAIRS];
  for (int pair = 0; pair < PAIRS; pair++) {
    double without = pair % 2 == 0 ? speed(depth) : 0;
    scrolltrace_frame frame = begin((uint64_t)pair, 1000000000);
    double with = speed(depth);
    scrolltrace_frame_end(&frame);
    if (pair % 2 == 1) without = speed(depth);
    shares[pair] = (without - with) / without * 100;
  }
  qsort(shares, PAIRS, sizeof *shares, compare_numbers);
  printf("%d deep: %.2f %% (quartiles %.2f, %.2f)\n", depth, shares[PAIRS / 2], shares[PAIRS / 4],
         shares[PAIRS * 3 / 4]);
}

/* Work without a frame, after one. */
FUNCTION void make_pause(void) {
  make_frames(1);
  outer(7, now() + 2000000000);
}

static void other_handler(int number) { (void)number; }

/* A host that handles the recorder's signal: from the start, or after its first chains of calls. */
FUNCTION void make_chains_with_handler(void) {
  scrolltrace_losses losses = {.struct_size = sizeof losses};
  scrolltrace_get_losses(recorder, &losses);
  printf("%d", (int)losses.no_stacks);
  make_chains(20000000);
  if (!losses.no_stacks) signal(SIGURG, other_handler);
  make_chains(20000000);
  scrolltrace_get_losses(recorder, &losses);
  struct sigaction action;
  sigaction(SIGURG, NULL, &action);
  printf(" %d %d\n", (int)losses.no_stacks, action.sa_handler == other_handler);
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  const char *mode = arguments[1];
  if (strcmp(mode, "nothing") == 0) return 0;
  if (strcmp(mode, "execs") == 0) {
    count_execs(arguments);
    return 0;
  }
  scrolltrace_options options = SCROLLTRACE_OPTIONS_INIT;
  options.stack_sampling_ns = atoll(arguments[2]);
  char dumps[4096];
  if (strcmp(mode, "dump") == 0) {
    snprintf(dumps, sizeof dumps, "%s-hitch", arguments[3]);
    options.ring_bytes = 1 << 20;
    options.hitch_dump_path = dumps;
    options.hitch_dump_limit = 30000000;
  }
  // The recorder neither needs nor touches the signal of other profilers.
  signal(SIGPROF, other_handler);
  if (strcmp(mode, "taken") == 0) signal(SIGURG, other_handler);
  options.prints_problems = strncmp(mode, "taken", 5) == 0;
  scrolltrace_error error;
  scrolltrace_result result = scrolltrace_open(arguments[3], &options, &recorder, &error);
  if (result != SCROLLTRACE_OK) {
    printf("%d %s\n", result, error.message);
    return 1;
  }
  if (strncmp(mode, "taken", 5) == 0) make_chains_with_handler();
  if (strcmp(mode, "chains") == 0) make_chains(300000000);
  if (strcmp(mode, "frames") == 0) make_frames(50);
  if (strcmp(mode, "polls") == 0) make_polls();
  if (strcmp(mode, "hang") == 0) hang();
  if (strcmp(mode, "hang-late") == 0) hang_late(false);
  if (strcmp(mode, "hang-drag") == 0) hang_late(true);
  if (strcmp(mode, "fork") == 0) make_fork();
  if (strcmp(mode, "pause") == 0) make_pause();
  if (strcmp(mode, "cost") == 0) {
    make_cost(10);
    make_cost(50);
  }
  if (strcmp(mode, "feed") == 0) make_feed();
  if (strncmp(mode, "timer", 5) == 0) make_timer_feed(mode);
  if (strcmp(mode, "dump") == 0) {
    make_chains(100000000);
    make_frames(50);
  }
  if (strcmp(mode, "threads") == 0) make_threads();
  if (strncmp(mode, "small-", 6) == 0) make_small((size_t)atoll(mode + 6));
  if (strcmp(mode, "alternate") == 0) make_alternate();
  if (strcmp(mode, "exec") == 0) exec_from_thread(arguments[0]);
  return scrolltrace_finish(recorder, NULL) == SCROLLTRACE_OK ? 0 : 1;
}
