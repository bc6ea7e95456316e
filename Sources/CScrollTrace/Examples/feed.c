// A feed that scrolls in front of a made-up display, recorded through the C interface.
//
//   cc feed.c $(pkg-config --cflags --libs scrolltrace) -o feed && ./feed feed.fxt
//   scrolltrace analyze feed.fxt
//
// C11 and C++17. One row of the forty takes far longer to fill in than the display has time for.

#include <inttypes.h>
#include <stdio.h>

#include "scrolltrace.h"

static const int64_t refresh = 16666667;
static const uint64_t expensive_item = 1017;

// Waits until the recorder's clock says `time`; stands for work, and for the display.
static void spend_until(scrolltrace_recorder *recorder, int64_t time) {
  while (scrolltrace_now(recorder) < time) {
  }
}

// Fills in the row at `position`, which is named in the trace by the item it shows.
static void show_row(scrolltrace_recorder *recorder, int64_t position, uint64_t item) {
  scrolltrace_span bind = scrolltrace_span_begin(recorder, SCROLLTRACE_CELL_CONFIGURE,
                                                 SCROLLTRACE_CATEGORY_CELL, item);
  const int64_t begin = scrolltrace_now(recorder);
  spend_until(recorder, begin + (item == expensive_item ? 40000000 : 1000000));

  scrolltrace_cell cell = SCROLLTRACE_CELL_INIT;
  cell.position = position;
  cell.view = (uint64_t)position % 4;
  cell.list = SCROLLTRACE_NAME("feed");
  cell.reused = position >= 4;
  scrolltrace_span_end_cell(&bind, &cell);
}

int main(int argc, char **argv) {
  scrolltrace_options options = SCROLLTRACE_OPTIONS_INIT;
  options.replaces_existing_file = true;

  scrolltrace_recorder *recorder = NULL;
  scrolltrace_error error;
  if (scrolltrace_open(argc > 1 ? argv[1] : "feed.fxt", &options, &recorder, &error)
      != SCROLLTRACE_OK) {
    fprintf(stderr, "feed: %s\n", error.message);
    return 1;
  }

  scrolltrace_state_set(recorder, SCROLLTRACE_NAME("screen"), SCROLLTRACE_NAME("Feed"));
  scrolltrace_interaction drag
      = scrolltrace_interaction_begin(recorder, SCROLLTRACE_INTERACTION_DRAG, NULL);
  int64_t vsync = scrolltrace_now(recorder);

  for (int64_t row = 0; row < 40; row++) {
    scrolltrace_tick tick;
    tick.begin = vsync;
    tick.deadline = vsync + refresh;
    tick.target = vsync + 2 * refresh;
    tick.interval = refresh;
    scrolltrace_frame frame = scrolltrace_frame_begin(recorder, NULL, SCROLLTRACE_NO_ID, &tick);
    scrolltrace_span phase = scrolltrace_phase_first(&frame, SCROLLTRACE_PHASE_LAYOUT);
    show_row(recorder, row, 1000 + (uint64_t)row);
    scrolltrace_phase_next(&frame, &phase, SCROLLTRACE_PHASE_COMMIT);
    scrolltrace_counter(recorder, SCROLLTRACE_NAME("scroll offset"), row * 40);
    scrolltrace_frame_end_after(&frame, &phase);

    // The display takes what is ready at its next refresh, and shows it one later.
    const int64_t ready = scrolltrace_now(recorder);
    while (vsync < ready) vsync += refresh;
    scrolltrace_presented(recorder, NULL, frame.id, vsync + refresh);
    spend_until(recorder, vsync);
  }

  scrolltrace_interaction_end(&drag);
  scrolltrace_losses losses;
  losses.struct_size = sizeof losses;
  scrolltrace_get_losses(recorder, &losses);
  if (scrolltrace_finish(recorder, &error) != SCROLLTRACE_OK) {
    fprintf(stderr, "feed: %s\n", error.message);
    return 1;
  }
  printf("lost: %" PRIu64 "\n", losses.no_chunk + losses.too_big);
  return 0;
}
