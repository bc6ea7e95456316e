// The tick is due, but every 20 frames the loop sleeps 30 ms too long before it comes to it.
// usage: timer FILE [busy]: busy computes instead of sleeping, outside any span
#include "host.h"
static int busy;
static void between(int i) {
  if (i % 20 != 11) return;
  const int64_t a = now_ns();
  if (busy) work_us(30000);
  else sleep_until(a + 30000000);
  note_ns = now_ns() - a;
}
static void draw(const scrolltrace_frame *frame, int i) {
  (void)i;
  scrolltrace_span phase = scrolltrace_phase_first(frame, SCROLLTRACE_PHASE_DRAW);
  work_us(2500);
  scrolltrace_span_end(&phase);
}
int main(int argc, char **argv) {
  busy = argc > 2 && strcmp(argv[2], "busy") == 0;
  open_host(argv);
  scroll(180, draw, between);
  return close_host();
}
