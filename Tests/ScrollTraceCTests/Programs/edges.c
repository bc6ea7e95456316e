// What a host does wrong: nothing of it crashes, and each is as the header says.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scrolltrace.h"

static void check(bool holds, const char *what, int line) {
  if (holds) return;
  printf("line %d: not so: %s\n", line, what);
  exit(1);
}

#define CHECK(condition) check((condition), #condition, __LINE__)

// Every call with NULL for what can be NULL.
static void call_with_nothing(scrolltrace_recorder *none) {
  const scrolltrace_name empty = {NULL, 0};
  scrolltrace_losses losses;
  losses.struct_size = sizeof losses;
  losses.no_chunk = 1;
  scrolltrace_get_losses(none, NULL);
  scrolltrace_get_losses(none, &losses);
  CHECK(losses.no_chunk == 0);
  scrolltrace_set_enabled(none, true);
  CHECK(!scrolltrace_is_enabled(none));
  CHECK(scrolltrace_now(none) == SCROLLTRACE_UNKNOWN);
  CHECK(scrolltrace_register_name(none, "x", 1).text == NULL);
  CHECK(scrolltrace_get_surface(none, SCROLLTRACE_NAME("x"), 0) == NULL);
  scrolltrace_set_thread_name(none, empty);
  scrolltrace_frame frame = scrolltrace_frame_begin(none, NULL, SCROLLTRACE_NO_ID, NULL);
  CHECK(frame.id == SCROLLTRACE_NO_ID);
  scrolltrace_span span = scrolltrace_phase_first(&frame, empty);
  scrolltrace_phase_next(&frame, &span, empty);
  scrolltrace_phase_next(NULL, &span, empty);
  scrolltrace_phase_next(&frame, NULL, empty);
  span = scrolltrace_phase_begin(NULL, empty);
  span = scrolltrace_phase_first(NULL, empty);
  scrolltrace_frame_end_after(&frame, &span);
  scrolltrace_frame_end_after(&frame, NULL);
  scrolltrace_frame_end_after(NULL, NULL);
  scrolltrace_frame_end(NULL);
  scrolltrace_presented(none, NULL, 1, 1);
  scrolltrace_resolved(none, NULL, 1, empty);
  scrolltrace_frame_record(none, NULL, 1, NULL, 0, 0, 0);
  span = scrolltrace_span_begin(none, empty, empty, 0);
  scrolltrace_span_end(&span);
  scrolltrace_span_end(NULL);
  scrolltrace_span_end_cell(&span, NULL);
  scrolltrace_span_end_cell(NULL, NULL);
  scrolltrace_span_end_image(NULL, 0, 0);
  scrolltrace_span_end_data(NULL, empty, 0);
  scrolltrace_span_end_snapshot(NULL, NULL);
  scrolltrace_span_record(none, empty, empty, 0, 1, 2);
  scrolltrace_operation_record(none, empty, empty, 0, 1, 2);
  scrolltrace_cell_record(none, empty, NULL, 1, 2);
  scrolltrace_cell_mark(none, empty, NULL);
  scrolltrace_image_mark(none, empty, 0, 0, 0);
  scrolltrace_data_mark(none, empty, empty, 0, 0);
  scrolltrace_mark(none, empty, empty, 0);
  scrolltrace_counter(none, empty, 0);
  scrolltrace_counter_real(none, empty, 0);
  scrolltrace_state_set(none, empty, empty);
  scrolltrace_state_clear(none, empty);
  scrolltrace_flow_begin(none, empty, empty, 0);
  scrolltrace_flow_step(none, empty, empty, 0);
  scrolltrace_flow_end(none, empty, empty, 0);
  scrolltrace_interaction drag = scrolltrace_interaction_begin(none, empty, NULL);
  scrolltrace_interaction_end(&drag);
  scrolltrace_interaction_end(NULL);
  CHECK(scrolltrace_finish(none, NULL) == SCROLLTRACE_OK);
}

// Opening in every wrong way.
static void open_wrongly(const char *path) {
  scrolltrace_recorder *recorder = NULL;
  scrolltrace_error error;
  scrolltrace_options options = SCROLLTRACE_OPTIONS_INIT;
  CHECK(scrolltrace_open(NULL, NULL, &recorder, &error) == SCROLLTRACE_ERROR_ARGUMENT);
  CHECK(error.code == SCROLLTRACE_ERROR_ARGUMENT && error.message[0] != 0);
  CHECK(scrolltrace_open("", NULL, &recorder, NULL) == SCROLLTRACE_ERROR_ARGUMENT);
  CHECK(scrolltrace_open(path, NULL, NULL, &error) == SCROLLTRACE_ERROR_ARGUMENT);
  CHECK(scrolltrace_open("/", NULL, &recorder, &error) == SCROLLTRACE_ERROR_SYSTEM);
  CHECK(error.system_error != 0 && recorder == NULL);
  CHECK(scrolltrace_open(path, NULL, &recorder, &error) == SCROLLTRACE_ERROR_SYSTEM);
  CHECK(error.system_error == EEXIST && strstr(error.message, path) != NULL);

  char longest[5000];
  memset(longest, 'x', sizeof longest - 1);
  longest[0] = '/';
  longest[sizeof longest - 1] = 0;
  CHECK(scrolltrace_open(longest, NULL, &recorder, &error) == SCROLLTRACE_ERROR_SYSTEM);
  CHECK(strlen(error.message) >= 500 && strlen(error.message) < sizeof error.message);

  options.clock = 9;
  CHECK(scrolltrace_open(path, &options, &recorder, &error) == SCROLLTRACE_ERROR_VERSION);
  options.clock = 0;
  options.thread_time = 9;
  CHECK(scrolltrace_open(path, &options, &recorder, &error) == SCROLLTRACE_ERROR_VERSION);
  options.thread_time = SCROLLTRACE_THREAD_TIME_OFF;

  // More than the file may grow to.
  options.prepared_bytes = (uint64_t)1 << 63;
  CHECK(scrolltrace_open(path, &options, &recorder, &error) == SCROLLTRACE_ERROR_ARGUMENT);
  CHECK(strstr(error.message, "maximum_bytes") != NULL);
  options.prepared_bytes = 0;
  options.maximum_bytes = 4 << 20;
  options.ring_bytes = (4 << 20) + 1;
  CHECK(scrolltrace_open(path, &options, &recorder, &error) == SCROLLTRACE_ERROR_ARGUMENT);
  CHECK(strstr(error.message, "maximum_bytes") != NULL);
  // The smallest ring is larger than this.
  options.maximum_bytes = 100 << 10;
  options.ring_bytes = 1;
  CHECK(scrolltrace_open(path, &options, &recorder, &error) == SCROLLTRACE_ERROR_ARGUMENT);
  CHECK(strstr(error.message, "128 KiB") != NULL);
  options.maximum_bytes = 4 << 20;
  options.ring_bytes = 0;
  options.hitch_dump_count = 1;
  CHECK(scrolltrace_open(path, &options, &recorder, &error) == SCROLLTRACE_ERROR_ARGUMENT);
  options.hitch_dump_count = 0;
  options.file_access = 2;
  CHECK(scrolltrace_open(path, &options, &recorder, &error) == SCROLLTRACE_ERROR_VERSION);
  options.file_access = SCROLLTRACE_FILE_MAPPED;
  const int64_t periods[] = {-1, 1, 99999, 1000000001, INT64_MIN, INT64_MAX};
  for (int index = 0; index < 6; index++) {
    options.stack_sampling_ns = periods[index];
    CHECK(scrolltrace_open(path, &options, &recorder, &error) == SCROLLTRACE_ERROR_ARGUMENT);
    CHECK(strstr(error.message, "stack_sampling_ns") != NULL);
  }
  options.stack_sampling_ns = 0;
  options.replaces_existing_file = true;
  CHECK(scrolltrace_open("/dev/null", &options, &recorder, &error) == SCROLLTRACE_ERROR_FILE);
  CHECK(strstr(error.message, "not a regular file") != NULL && access("/dev/null", W_OK) == 0);
  options.replaces_existing_file = false;

  options.struct_size = 0;
  CHECK(scrolltrace_open(path, &options, &recorder, &error) == SCROLLTRACE_ERROR_ARGUMENT);
  options.struct_size = (size_t)-1;
  CHECK(scrolltrace_open(path, &options, &recorder, &error) != SCROLLTRACE_OK);
  options.struct_size = 1 << 20;
  CHECK(scrolltrace_open(path, &options, &recorder, &error) == SCROLLTRACE_ERROR_VERSION);

  // Options of a later version: what it does not set may be there, what it sets may not.
  struct {
    scrolltrace_options known;
    uint64_t later;
  } newer = {SCROLLTRACE_OPTIONS_INIT, 1};
  newer.known.struct_size = sizeof newer;
  CHECK(scrolltrace_open(path, &newer.known, &recorder, &error) == SCROLLTRACE_ERROR_VERSION);
  newer.later = 0;
  CHECK(scrolltrace_open(path, &newer.known, &recorder, &error) == SCROLLTRACE_ERROR_SYSTEM);
  CHECK(error.system_error == EEXIST);
  CHECK(scrolltrace_error_message((scrolltrace_result)77) != NULL);
}

/* A file that others cut while it is recorded, with and without a mapping. */
static void record_what_is_cut(const char *path) {
  for (int access = 0; access < 2; access++) {
    scrolltrace_options options = SCROLLTRACE_OPTIONS_INIT;
    options.file_access = access;
    scrolltrace_recorder *recorder = NULL;
    CHECK(scrolltrace_open(path, &options, &recorder, NULL) == SCROLLTRACE_OK);
    for (int index = 0; index < 60000; index++) {
      if (index == 3000) CHECK(truncate(path, 0) == 0);
      scrolltrace_mark(recorder, SCROLLTRACE_NAME("tick"), SCROLLTRACE_NO_NAME, SCROLLTRACE_NO_ID);
    }
    scrolltrace_error error;
    CHECK(scrolltrace_finish(recorder, &error) == SCROLLTRACE_ERROR_FILE);
    CHECK(strstr(error.message, "truncated or replaced") != NULL);
    remove(path);
  }
}

/* Records frames of which one ends `late` nanoseconds after its deadline, and returns whether the file is
 * there after the end. */
static int records_and_keeps(const char *path, const scrolltrace_options *options, int64_t late) {
  scrolltrace_recorder *recorder = NULL;
  CHECK(scrolltrace_open(path, options, &recorder, NULL) == SCROLLTRACE_OK);
  int64_t start = scrolltrace_now(recorder);
  for (int index = 0; index < 100; index++) {
    scrolltrace_tick tick = {start, start + 10000000, 0, 10000000};
    int64_t end = index == 50 ? start + 10000000 + late : start + 5000000;
    scrolltrace_frame_record(recorder, NULL, SCROLLTRACE_NO_ID, &tick, start, end,
                             SCROLLTRACE_UNKNOWN);
    start += 10000000;
  }
  scrolltrace_error error;
  CHECK(scrolltrace_finish(recorder, &error) == SCROLLTRACE_OK);
  int is_there = access(path, F_OK) == 0;
  CHECK((strstr(error.message, "not kept") == NULL) == is_there);
  if (is_there) CHECK(remove(path) == 0);
  return is_there;
}

/* Which traces stay, with options of this version and of one before them. */
static void keep_some(const char *path) {
  scrolltrace_options options = SCROLLTRACE_OPTIONS_INIT;
  options.kept_over = 5;
  scrolltrace_recorder *recorder = NULL;
  CHECK(scrolltrace_open(path, &options, &recorder, NULL) == SCROLLTRACE_ERROR_ARGUMENT);
  // One in a billion is none.
  options.kept_one_in = UINT64_MAX;
  CHECK(!records_and_keeps(path, &options, 0));
  CHECK(records_and_keeps(path, &options, 1));
  options.kept_over = -1;
  CHECK(scrolltrace_open(path, &options, &recorder, NULL) == SCROLLTRACE_ERROR_ARGUMENT);
  options.struct_size = offsetof(scrolltrace_options, kept_one_in);
  CHECK(records_and_keeps(path, &options, 0));
  options.struct_size = offsetof(scrolltrace_options, kept_over);
  CHECK(!records_and_keeps(path, &options, 0));
}

static volatile sig_atomic_t foreign_faults;

static void count_fault(int number) {
  (void)number;
  foreign_faults++;
  signal(SIGBUS, SIG_DFL);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  // The recorder passes on what is not about its files.
  signal(SIGBUS, count_fault);
  call_with_nothing(NULL);
  scrolltrace_recorder *recorder = NULL;
  scrolltrace_options options = SCROLLTRACE_OPTIONS_INIT;
  options.maximum_bytes = 4 << 20;
  CHECK(scrolltrace_open(argv[1], &options, &recorder, NULL) == SCROLLTRACE_OK);
  open_wrongly(argv[1]);

  // A span ends once; one of only zeros never.
  scrolltrace_span span = {{0, 0, 0, 0}};
  scrolltrace_span_end(&span);
  span = scrolltrace_span_begin(recorder, SCROLLTRACE_NAME("once"), SCROLLTRACE_CATEGORY_WORK,
                                SCROLLTRACE_NO_ID);
  scrolltrace_span_end(&span);
  scrolltrace_span_end(&span);
  scrolltrace_span_end_cell(&span, NULL);
  scrolltrace_frame frame = scrolltrace_frame_begin(recorder, NULL, SCROLLTRACE_NO_ID, NULL);
  scrolltrace_frame_end(&frame);
  scrolltrace_frame_end(&frame);
  CHECK(frame.id == 1);
  scrolltrace_interaction drag
      = scrolltrace_interaction_begin(recorder, SCROLLTRACE_INTERACTION_DRAG, NULL);
  scrolltrace_interaction_end(&drag);
  scrolltrace_interaction_end(&drag);

  // Recorded while off: no number that anybody could say to be presented.
  scrolltrace_set_enabled(recorder, false);
  frame = scrolltrace_frame_begin(recorder, NULL, SCROLLTRACE_NO_ID, NULL);
  CHECK(frame.id == SCROLLTRACE_NO_ID);
  scrolltrace_set_enabled(recorder, true);
  scrolltrace_frame_end(&frame);
  scrolltrace_presented(recorder, NULL, frame.id, scrolltrace_now(recorder));

  // Texts: empty, malformed, too long.
  const scrolltrace_name empty = {NULL, 0};
  const scrolltrace_name bad = SCROLLTRACE_NAME_INIT("\xff\xfe");
  span = scrolltrace_span_begin(recorder, empty, empty, 0);
  scrolltrace_span_end(&span);
  span = scrolltrace_span_begin(recorder, bad, bad, 0);
  scrolltrace_span_end(&span);
  static char text[70000];
  memset(text, 'x', sizeof text);
  scrolltrace_name too_long = scrolltrace_register_name(recorder, text, sizeof text);
  scrolltrace_mark(recorder, too_long, empty, SCROLLTRACE_NO_ID);
  too_long.text = text;
  too_long.length = (size_t)-1;
  scrolltrace_mark(recorder, too_long, empty, SCROLLTRACE_NO_ID);
  // Of these the recorder keeps a copy.
  scrolltrace_state_set(recorder, SCROLLTRACE_NAME("screen"), too_long);
  too_long.length = sizeof text;
  scrolltrace_state_set(recorder, SCROLLTRACE_NAME("screen"), too_long);
  scrolltrace_set_thread_name(recorder, too_long);
  scrolltrace_surface *surface
      = scrolltrace_get_surface(recorder, too_long, SCROLLTRACE_UNKNOWN);
  scrolltrace_presented(recorder, surface, 1, scrolltrace_now(recorder));
  scrolltrace_losses losses;
  losses.struct_size = sizeof losses;
  scrolltrace_get_losses(recorder, &losses);
  CHECK(losses.too_big == 6);

  // Structures of an earlier version are shorter.
  losses.struct_size = offsetof(scrolltrace_losses, too_big);
  losses.too_big = 99;
  scrolltrace_get_losses(recorder, &losses);
  CHECK(losses.too_big == 99 && losses.no_chunk == 0);
  scrolltrace_cell cell = SCROLLTRACE_CELL_INIT;
  cell.struct_size = offsetof(scrolltrace_cell, view);
  cell.item = 6;
  cell.view = 1;
  scrolltrace_cell_mark(recorder, SCROLLTRACE_CELL_DISCARD, &cell);
  cell.struct_size = 0;
  scrolltrace_cell_mark(recorder, SCROLLTRACE_CELL_DISCARD, &cell);

  // A phase whose frame has ended is ended, once.
  span = scrolltrace_span_begin(recorder, SCROLLTRACE_NAME("phase"), SCROLLTRACE_CATEGORY_WORK, 1);
  scrolltrace_phase_next(&frame, &span, empty);
  scrolltrace_span_end(&span);

  // A dump: of everything here, of the last part in a ring.
  char dump[4096];
  snprintf(dump, sizeof dump, "%s.dump", argv[1]);
  CHECK(scrolltrace_dump(recorder, dump, NULL) == SCROLLTRACE_OK);
  scrolltrace_error failure;
  CHECK(scrolltrace_dump(recorder, dump, &failure) == SCROLLTRACE_ERROR_SYSTEM);
  CHECK(failure.system_error == EEXIST);
  CHECK(scrolltrace_dump(recorder, NULL, NULL) == SCROLLTRACE_ERROR_ARGUMENT);
  CHECK(scrolltrace_dump(NULL, dump, NULL) == SCROLLTRACE_ERROR_ARGUMENT);
  remove(dump);
  scrolltrace_recorder *ring = NULL;
  options.ring_bytes = 256 << 10;
  char hitch[4096];
  snprintf(hitch, sizeof hitch, "%s.hitch", argv[1]);
  options.hitch_dump_path = hitch;
  CHECK(scrolltrace_open(dump, &options, &ring, NULL) == SCROLLTRACE_ERROR_ARGUMENT);
  options.hitch_dump_limit = 1000000;
  CHECK(scrolltrace_open(dump, &options, &ring, NULL) == SCROLLTRACE_OK);
  CHECK(scrolltrace_get_dump_count(ring, NULL) == 0);
  for (int index = 0; index < 100000; index++)
    scrolltrace_mark(ring, SCROLLTRACE_NAME("tick"), empty, SCROLLTRACE_NO_ID);
  losses.struct_size = sizeof losses;
  scrolltrace_get_losses(ring, &losses);
  CHECK(losses.no_chunk == 0);
  // A frame on time, a frame that is not, and another too soon after that.
  scrolltrace_tick tick = {0, scrolltrace_now(ring) + 3600000000000, 0, 0};
  for (int index = 0; index < 3; index++) {
    frame = scrolltrace_frame_begin(ring, NULL, SCROLLTRACE_NO_ID, &tick);
    scrolltrace_frame_end(&frame);
    tick.deadline = scrolltrace_now(ring) - 1000000;
  }
  CHECK(scrolltrace_finish(ring, NULL) == SCROLLTRACE_OK);
  CHECK(scrolltrace_get_dump_count(ring, &failure) == 1);
  CHECK(failure.code == SCROLLTRACE_OK);
  CHECK(scrolltrace_get_dump_count(NULL, &failure) == 0);
  strcat(hitch, "-1.fxt");
  CHECK(remove(hitch) == 0);
  remove(dump);

  snprintf(dump, sizeof dump, "%s.cut", argv[1]);
  record_what_is_cut(dump);
  raise(SIGBUS);
  CHECK(foreign_faults == 1);

  snprintf(dump, sizeof dump, "%s.kept", argv[1]);
  keep_some(dump);
  snprintf(dump, sizeof dump, "%s.cut", argv[1]);

  // Two dumps without a pause between them, and no more.
  options.hitch_dump_pause = 1;
  options.hitch_dump_count = 2;
  snprintf(hitch, sizeof hitch, "%s.more", argv[1]);
  CHECK(scrolltrace_open(dump, &options, &ring, NULL) == SCROLLTRACE_OK);
  for (int index = 0; index < 4; index++) {
    frame = scrolltrace_frame_begin(ring, NULL, SCROLLTRACE_NO_ID, &tick);
    scrolltrace_frame_end(&frame);
    // A dump that is still being written takes the next hitch with it.
    for (int wait = 0; wait < 2000 && scrolltrace_get_dump_count(ring, NULL) < 2; wait++) {
      if (scrolltrace_get_dump_count(ring, NULL) > (uint32_t)index) break;
      usleep(1000);
    }
  }
  CHECK(scrolltrace_finish(ring, NULL) == SCROLLTRACE_OK);
  CHECK(scrolltrace_get_dump_count(ring, NULL) == 2);
  size_t length = strlen(hitch);
  strcpy(hitch + length, "-1.fxt");
  CHECK(remove(hitch) == 0);
  strcpy(hitch + length, "-2.fxt");
  CHECK(remove(hitch) == 0);
  remove(dump);

  // After the end: counted, and no harm.
  span = scrolltrace_span_begin(recorder, SCROLLTRACE_NAME("open"), SCROLLTRACE_CATEGORY_WORK, 1);
  CHECK(scrolltrace_finish(recorder, NULL) == SCROLLTRACE_OK);
  CHECK(scrolltrace_finish(recorder, NULL) == SCROLLTRACE_OK);
  scrolltrace_span_end(&span);
  for (int index = 0; index < 3; index++)
    scrolltrace_mark(recorder, SCROLLTRACE_NAME("late"), empty, SCROLLTRACE_NO_ID);
  span = scrolltrace_span_begin(recorder, SCROLLTRACE_NAME("late"), empty, SCROLLTRACE_NO_ID);
  scrolltrace_span_end(&span);
  CHECK(scrolltrace_now(recorder) > 0);
  losses.struct_size = sizeof losses;
  scrolltrace_get_losses(recorder, &losses);
  CHECK(losses.after_close == 4);
  return 0;
}
