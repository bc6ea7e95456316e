// usage: contention FILE [off] [bare] [MICROSECONDS]: off records no thread times, bare counts none either
// About 5 ms of computing a frame, in the phase draw. Never blocks inside a commit.
#include "host.h"
static int64_t work = 5000;
static void draw(const scrolltrace_frame *frame, int i) {
  (void)i;
  scrolltrace_span phase = scrolltrace_phase_first(frame, SCROLLTRACE_PHASE_DRAW);
  work_us(work);
  scrolltrace_span_end(&phase);
}
int main(int argc, char **argv) {
  if (argc < 2) {
    const int64_t a = cpu_ns();
    work_us(100000);
    printf("100 ms of steps took %.1f ms\n", (cpu_ns() - a) / 1e6);
    return 0;
  }
  for (int i = 2; i < argc; i++) {
    if (strcmp(argv[i], "off") == 0) thread_time = SCROLLTRACE_THREAD_TIME_OFF;
    if (strcmp(argv[i], "bare") == 0) bare = true;
    if (atoi(argv[i]) > 0) work = atoi(argv[i]);
  }
  open_host(argv);
  scroll(180, draw, NULL);
  return close_host();
}
