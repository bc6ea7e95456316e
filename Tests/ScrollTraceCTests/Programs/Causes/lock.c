// The main thread waits for a lock that the thread "db" holds while it writes.
// usage: lock FILE [inside|around|busy]: the span lies in the lock, or around it; busy computes.
#include "host.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool done;
static int around, busy;

static void *db(void *unused) {
  (void)unused;
  scrolltrace_set_thread_name(recorder, SCROLLTRACE_NAME("db"));
  uint32_t random = 12345;
  while (!atomic_load(&done)) {
    random = random * 1664525 + 1013904223;
    sleep_until(now_ns() + 230000000 + (random >> 8) % 20000000);
    random = random * 1664525 + 1013904223;
    const int64_t hold = 20000000 + (random >> 8) % 40000000;
    const scrolltrace_name name = SCROLLTRACE_NAME("write journal");
    scrolltrace_span span;
    if (around) span = scrolltrace_span_begin(recorder, name, SCROLLTRACE_CATEGORY_WORK, SCROLLTRACE_NO_ID);
    pthread_mutex_lock(&lock);
    if (!around) span = scrolltrace_span_begin(recorder, name, SCROLLTRACE_CATEGORY_WORK, SCROLLTRACE_NO_ID);
    if (busy) work_us(hold / 1000);
    else sleep_until(now_ns() + hold);
    if (!around) scrolltrace_span_end(&span);
    pthread_mutex_unlock(&lock);
    if (around) scrolltrace_span_end(&span);
  }
  return NULL;
}
static void draw(const scrolltrace_frame *frame, int i) {
  scrolltrace_span phase = scrolltrace_phase_first(frame, SCROLLTRACE_PHASE_UPDATE);
  scrolltrace_span read = scrolltrace_span_begin(
      recorder, SCROLLTRACE_NAME("read row"), SCROLLTRACE_CATEGORY_WORK, (uint64_t)i);
  const int64_t a = now_ns();
  pthread_mutex_lock(&lock);
  note_ns = now_ns() - a;
  work_us(500);
  pthread_mutex_unlock(&lock);
  scrolltrace_span_end(&read);
  scrolltrace_phase_next(frame, &phase, SCROLLTRACE_PHASE_DRAW);
  work_us(2000);
  scrolltrace_span_end(&phase);
}
int main(int argc, char **argv) {
  around = argc > 2 && strcmp(argv[2], "around") == 0;
  busy = argc > 2 && strcmp(argv[2], "busy") == 0;
  open_host(argv);
  pthread_t thread;
  pthread_create(&thread, NULL, db, NULL);
  scroll(180, draw, NULL);
  atomic_store(&done, true);
  pthread_join(thread, NULL);
  return close_host();
}
