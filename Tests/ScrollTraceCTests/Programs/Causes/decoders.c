// Six threads decode images without a pause while the main thread has 6 ms of work a frame.
#include "host.h"
static atomic_bool done;
static void *decoder(void *argument) {
  char text[32];
  snprintf(text, sizeof text, "decoder %d", (int)(intptr_t)argument);
  scrolltrace_set_thread_name(recorder, scrolltrace_register_name(recorder, text, strlen(text)));
  uint64_t item = 1000 * (uint64_t)(intptr_t)argument;
  while (!atomic_load(&done)) {
    scrolltrace_span span = scrolltrace_span_begin(recorder, SCROLLTRACE_IMAGE_DECODE,
                                                   SCROLLTRACE_CATEGORY_IMAGE, item++);
    work_us(8000);
    scrolltrace_span_end_image(&span, SCROLLTRACE_NO_ID, 200000);
  }
  return NULL;
}
static void draw(const scrolltrace_frame *frame, int i) {
  scrolltrace_span phase = scrolltrace_phase_first(frame, SCROLLTRACE_PHASE_DRAW);
  work_us(5000);
  scrolltrace_span span = scrolltrace_span_begin(recorder, SCROLLTRACE_IMAGE_DECODE,
                                                 SCROLLTRACE_CATEGORY_IMAGE, (uint64_t)i);
  work_us(1000);
  scrolltrace_span_end_image(&span, SCROLLTRACE_NO_ID, 20000);
  scrolltrace_span_end(&phase);
}
int main(int argc, char **argv) {
  (void)argc;
  open_host(argv);
  pthread_t threads[6];
  for (intptr_t i = 0; i < 6; i++) pthread_create(&threads[i], NULL, decoder, (void *)(i + 1));
  scroll(180, draw, NULL);
  atomic_store(&done, true);
  for (int i = 0; i < 6; i++) pthread_join(threads[i], NULL);
  return close_host();
}
