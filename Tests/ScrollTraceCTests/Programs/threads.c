// Four threads that record at once, end each other's spans and finish under each other's hands.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "scrolltrace.h"

enum { thread_count = 4, turns = 2000 };

static scrolltrace_recorder *recorder;
static scrolltrace_surface *surface;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static scrolltrace_span handed_over;

static void *work(void *argument) {
  const uint64_t number = (uint64_t)(size_t)argument;
  scrolltrace_set_thread_name(recorder, SCROLLTRACE_NAME("worker"));
  for (uint64_t turn = 0; turn < turns; turn++) {
    scrolltrace_span span = scrolltrace_span_begin(recorder, SCROLLTRACE_IMAGE_DECODE,
                                                   SCROLLTRACE_CATEGORY_IMAGE, turn);
    if (number == 0) {
      scrolltrace_frame frame = scrolltrace_frame_begin(recorder, surface, SCROLLTRACE_NO_ID, NULL);
      scrolltrace_frame_end(&frame);
    }
    if (turn % 100 == 0) {
      char text[32];
      const int length = snprintf(text, sizeof text, "name %d", (int)(turn / 100));
      const scrolltrace_name name = scrolltrace_register_name(recorder, text, (size_t)length);
      scrolltrace_counter(recorder, name, (int64_t)turn);
      scrolltrace_state_set(recorder, SCROLLTRACE_NAME("step"), name);

      // A span that one thread begins another one ends.
      scrolltrace_span mine = scrolltrace_span_begin(recorder, SCROLLTRACE_NAME("handed over"),
                                                     SCROLLTRACE_CATEGORY_WORK, number);
      pthread_mutex_lock(&lock);
      scrolltrace_span_end(&handed_over);
      handed_over = mine;
      pthread_mutex_unlock(&lock);
    }
    scrolltrace_span_end_image(&span, number, SCROLLTRACE_NO_ID);
  }
  return NULL;
}

// One more thread finishes while others record.
static void *end(void *argument) {
  return scrolltrace_finish(recorder, NULL) == SCROLLTRACE_OK ? NULL : argument;
}

int main(int argc, char **argv) {
  if (argc < 2 || scrolltrace_open(argv[1], NULL, &recorder, NULL) != SCROLLTRACE_OK) return 2;
  surface = scrolltrace_get_surface(recorder, SCROLLTRACE_NAME("window"), 0);
  pthread_t threads[thread_count];
  for (size_t round = 0; round < 2; round++) {
    for (size_t index = 0; index < thread_count; index++)
      if (pthread_create(&threads[index], NULL, work, (void *)index) != 0) return 3;
    if (round == 1) {
      pthread_t ending;
      if (pthread_create(&ending, NULL, end, recorder) != 0) return 3;
      void *failed = NULL;
      pthread_join(ending, &failed);
      if (failed != NULL) return 4;
    }
    for (size_t index = 0; index < thread_count; index++) pthread_join(threads[index], NULL);
    if (round == 0) {
      scrolltrace_span_end(&handed_over);
      scrolltrace_losses losses;
      losses.struct_size = sizeof losses;
      scrolltrace_get_losses(recorder, &losses);
      if (losses.no_chunk + losses.too_big != 0) return 5;
    }
  }
  return 0;
}
