// Every function once, in C11 and C++17; the test knows what the trace has to hold.

#include <stdio.h>
#include <string.h>

#include "scrolltrace.h"

static const scrolltrace_name blur = SCROLLTRACE_NAME_INIT("blur");

int main(int argc, char **argv) {
  if (argc < 2 || scrolltrace_version() != SCROLLTRACE_VERSION) return 2;
  scrolltrace_options options = SCROLLTRACE_OPTIONS_INIT;
  options.prepared_bytes = 1 << 20;
  options.starts_off = true;
  options.records_all_main_work = true;
  options.thread_time = 2;
  scrolltrace_recorder *recorder = NULL;
  if (scrolltrace_open(argv[1], &options, &recorder, NULL) != SCROLLTRACE_OK) return 3;
  if (scrolltrace_is_enabled(recorder)) return 4;
  scrolltrace_mark(recorder, SCROLLTRACE_NAME("off"), blur, SCROLLTRACE_NO_ID);
  scrolltrace_set_enabled(recorder, true);
  if (!scrolltrace_is_enabled(recorder)) return 5;

  char text[] = "made at run time";
  const scrolltrace_name made = scrolltrace_register_name(recorder, text, strlen(text));
  memset(text, '?', sizeof text - 1);
  scrolltrace_set_thread_name(recorder, SCROLLTRACE_NAME("the main one"));
  scrolltrace_surface *window
      = scrolltrace_get_surface(recorder, SCROLLTRACE_NAME("window"), 1000000);
  if (window != scrolltrace_get_surface(recorder, SCROLLTRACE_NAME("window"), SCROLLTRACE_UNKNOWN))
    return 6;

  const int64_t start = scrolltrace_now(recorder);
  scrolltrace_interaction drag
      = scrolltrace_interaction_begin(recorder, SCROLLTRACE_INTERACTION_DRAG, window);
  scrolltrace_tick tick = {start, start + 8000000, start + 16000000, 8000000};
  scrolltrace_frame frame = scrolltrace_frame_begin(recorder, window, 7, &tick);
  scrolltrace_span phase = scrolltrace_phase_first(&frame, SCROLLTRACE_PHASE_UPDATE);
  scrolltrace_phase_next(&frame, &phase, SCROLLTRACE_PHASE_LAYOUT);
  scrolltrace_span span
      = scrolltrace_span_begin(recorder, SCROLLTRACE_CELL_PREPARE, SCROLLTRACE_CATEGORY_CELL, 42);
  scrolltrace_cell cell = SCROLLTRACE_CELL_INIT;
  cell.view = 3;
  cell.position = 12;
  cell.registration = 1;
  cell.list = SCROLLTRACE_NAME("feed");
  cell.kind = SCROLLTRACE_NAME("photo");
  cell.estimated_size = 100;
  cell.size = 120.5;
  cell.reused = 1;
  cell.ahead = 0;
  scrolltrace_cell_mark(recorder, SCROLLTRACE_CELL_WILL_DISPLAY, &cell);
  scrolltrace_span_end_cell(&span, &cell);
  span = scrolltrace_span_begin(recorder, made, blur, SCROLLTRACE_NO_ID);
  scrolltrace_span_end(&span);
  scrolltrace_frame_end_after(&frame, &phase);
  if (frame.id != 7) return 7;
  scrolltrace_presented(recorder, window, frame.id, start + 24000000);

  tick.begin = tick.deadline = 0;
  tick.target = SCROLLTRACE_UNKNOWN;
  frame = scrolltrace_frame_begin(recorder, window, 8, &tick);
  phase = scrolltrace_phase_begin(&frame, SCROLLTRACE_NAME("own phase"));
  scrolltrace_span_end(&phase);
  scrolltrace_frame_end(&frame);
  scrolltrace_presented(recorder, window, frame.id, 0);
  scrolltrace_resolved(recorder, window, frame.id, SCROLLTRACE_OUTCOME_DROPPED);
  tick.begin = start + 16000000;
  scrolltrace_frame_record(recorder, window, 9, &tick, SCROLLTRACE_UNKNOWN, start + 20000000,
                           start + 32000000);

  scrolltrace_span_record(recorder, SCROLLTRACE_NAME("told later"), SCROLLTRACE_CATEGORY_WAITING, 5,
                          start + 1000, start + 2000);
  scrolltrace_span_record(recorder, SCROLLTRACE_NAME("no time"), SCROLLTRACE_CATEGORY_WORK, 5,
                          SCROLLTRACE_UNKNOWN, start);
  scrolltrace_cell_record(recorder, SCROLLTRACE_CELL_SIZE, &cell, start + 1000, start + 3000);
  scrolltrace_mark(recorder, SCROLLTRACE_NAME("tapped"), SCROLLTRACE_CATEGORY_WORK, 0);
  scrolltrace_counter(recorder, SCROLLTRACE_NAME("cache"), -5);
  scrolltrace_counter_real(recorder, SCROLLTRACE_NAME("offset"), 0.5);
  scrolltrace_state_set(recorder, SCROLLTRACE_NAME("screen"), SCROLLTRACE_NAME("Feed"));
  scrolltrace_state_clear(recorder, SCROLLTRACE_NAME("screen"));

  span = scrolltrace_span_begin(recorder, SCROLLTRACE_DATA_LOAD, SCROLLTRACE_CATEGORY_DATA, 42);
  scrolltrace_flow_begin(recorder, SCROLLTRACE_NAME("request"), SCROLLTRACE_CATEGORY_DATA, 1);
  scrolltrace_flow_step(recorder, SCROLLTRACE_NAME("request"), SCROLLTRACE_CATEGORY_DATA, 1);
  scrolltrace_flow_end(recorder, SCROLLTRACE_NAME("request"), SCROLLTRACE_CATEGORY_DATA, 1);
  scrolltrace_span_end_data(&span, SCROLLTRACE_NAME("feed"), 3);
  scrolltrace_data_mark(recorder, SCROLLTRACE_DATA_PREFETCH, SCROLLTRACE_NO_NAME, 43,
                        SCROLLTRACE_NO_ID);
  span = scrolltrace_span_begin(recorder, SCROLLTRACE_DATA_APPLY_SNAPSHOT,
                                SCROLLTRACE_CATEGORY_DATA, SCROLLTRACE_NO_ID);
  scrolltrace_snapshot snapshot = SCROLLTRACE_SNAPSHOT_INIT;
  snapshot.kind = SCROLLTRACE_NAME("differences");
  snapshot.inserted = 3;
  scrolltrace_span_end_snapshot(&span, &snapshot);
  span = scrolltrace_span_begin(recorder, SCROLLTRACE_IMAGE_DECODE, SCROLLTRACE_CATEGORY_IMAGE, 42);
  scrolltrace_image_mark(recorder, SCROLLTRACE_IMAGE_CACHE_MISS, 42, SCROLLTRACE_NO_ID, 2048);
  scrolltrace_span_end_image(&span, 3, 4096);
  scrolltrace_interaction_end(&drag);

  scrolltrace_error error;
  if (scrolltrace_finish(recorder, &error) != SCROLLTRACE_OK) return 8;
  if (error.code != 0 || error.message[0] != 0) return 9;
  scrolltrace_losses losses;
  losses.struct_size = sizeof losses;
  scrolltrace_get_losses(recorder, &losses);
  if (losses.no_chunk + losses.too_big + losses.after_close != 0) return 10;
  if (strcmp(scrolltrace_error_message(SCROLLTRACE_OK), "no error") != 0) return 11;
  return 0;
}
