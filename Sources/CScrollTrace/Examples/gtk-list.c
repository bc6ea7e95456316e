// A GtkListView that scrolls by itself, recorded through the C interface.
//
//   cc gtk-list.c $(pkg-config --cflags --libs gtk4 scrolltrace) -o gtk-list
//   ./gtk-list expensive expensive.fxt && scrolltrace analyze expensive.fxt
//   ./gtk-list prefetch prefetch.fxt && scrolltrace analyze prefetch.fxt
//
// Each row has a text that takes long to make. "expensive" makes it whenever GTK binds the row, on the
// main thread; "prefetch" has a worker make it ahead, once, and shows a placeholder until then.

#include <gtk/gtk.h>
#include <stdio.h>
#include <string.h>

#include "scrolltrace.h"

// GTK keeps some 200 rows bound around those in view: far enough down the list, rows that come in at
// one end leave at the other.
enum { row_count = 5000, row_height = 40, first_row = 150, rows_ahead = 40 };

static const double pause_before = 1.0, scroll_seconds = 4.0, pixels_per_second = 700;

static scrolltrace_recorder *recorder;
static gboolean prefetches;
static GThreadPool *workers;
static GtkAdjustment *adjustment;
static GtkWidget *scrolled_window;
static GMainLoop *loop;

// What is known of the rows, on the main thread only.
static char *texts[row_count];       // NULL where the text is not made yet
static gboolean asked[row_count];    // whether a worker was asked for it
static GtkLabel *labels[row_count];  // the view that shows the row; NULL for none
static uint64_t view_count;

// ---- The rows --------------------------------------------------------------------------------

// Makes the text of a row, which takes 3 to 5 ms.
static char *make_text(guint row) {
  const gint64 end = g_get_monotonic_time() + 3000 + row * 7919 % 2000;
  while (g_get_monotonic_time() < end) {
  }
  return g_strdup_printf("Row %u", row);
}

static uint64_t view_of(GtkWidget *label) {
  return (uint64_t)GPOINTER_TO_SIZE(g_object_get_data(G_OBJECT(label), "view"));
}

typedef struct {
  guint row;
  char *text;
} RowText;

// A text has come from the worker; the row may have been scrolled away meanwhile.
static gboolean deliver(gpointer data) {
  RowText *made = data;
  texts[made->row] = made->text;
  GtkLabel *label = labels[made->row];
  if (label != NULL) {
    scrolltrace_span fill = scrolltrace_span_begin(recorder, SCROLLTRACE_NAME("fill in"),
                                                   SCROLLTRACE_CATEGORY_CELL, made->row);
    gtk_label_set_text(label, made->text);
    scrolltrace_span_end(&fill);
    scrolltrace_image_mark(recorder, SCROLLTRACE_IMAGE_FINAL, made->row, SCROLLTRACE_NO_ID,
                           SCROLLTRACE_NO_ID);
  }
  g_free(made);
  return G_SOURCE_REMOVE;
}

// Runs on a worker. The arrow leads from the request to this work.
static void load(gpointer data, gpointer unused) {
  (void)unused;
  RowText *made = data;
  scrolltrace_span span = scrolltrace_span_begin(recorder, SCROLLTRACE_DATA_LOAD,
                                                 SCROLLTRACE_CATEGORY_DATA, made->row);
  scrolltrace_flow_end(recorder, SCROLLTRACE_NAME("row text"), SCROLLTRACE_CATEGORY_DATA,
                       made->row);
  made->text = make_text(made->row);
  scrolltrace_span_end_data(&span, SCROLLTRACE_NAME("rows"), SCROLLTRACE_NO_ID);
  g_idle_add(deliver, made);
}

static void ask_for(guint row) {
  if (row >= row_count || asked[row]) return;
  asked[row] = TRUE;
  scrolltrace_data_mark(recorder, SCROLLTRACE_DATA_PREFETCH, SCROLLTRACE_NAME("rows"), row,
                        SCROLLTRACE_NO_ID);
  scrolltrace_flow_begin(recorder, SCROLLTRACE_NAME("row text"), SCROLLTRACE_CATEGORY_DATA, row);
  RowText *wanted = g_new0(RowText, 1);
  wanted->row = row;
  g_thread_pool_push(workers, wanted, NULL);
}

// GTK has no view left to use again.
static void on_setup(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data) {
  (void)factory, (void)data;
  scrolltrace_span span = scrolltrace_span_begin(recorder, SCROLLTRACE_CELL_CREATE,
                                                 SCROLLTRACE_CATEGORY_CELL, SCROLLTRACE_NO_ID);
  GtkWidget *label = gtk_label_new(NULL);
  gtk_widget_set_size_request(label, -1, row_height);
  scrolltrace_cell cell = SCROLLTRACE_CELL_INIT;
  cell.view = ++view_count;
  g_object_set_data(G_OBJECT(label), "view", GSIZE_TO_POINTER((gsize)cell.view));
  gtk_list_item_set_child(item, label);
  scrolltrace_span_end_cell(&span, &cell);
}

static void on_bind(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data) {
  (void)factory, (void)data;
  const guint row = gtk_list_item_get_position(item);
  GtkWidget *label = gtk_list_item_get_child(item);
  // Rows are never moved here, so that the position is the item's identifier as well.
  scrolltrace_span span = scrolltrace_span_begin(recorder, SCROLLTRACE_CELL_CONFIGURE,
                                                 SCROLLTRACE_CATEGORY_CELL, row);
  if (!prefetches) {
    g_free(texts[row]);
    texts[row] = make_text(row);
  }
  labels[row] = GTK_LABEL(label);
  gtk_label_set_text(GTK_LABEL(label), texts[row] != NULL ? texts[row] : "…");
  if (texts[row] == NULL) {
    scrolltrace_image_mark(recorder, SCROLLTRACE_IMAGE_PLACEHOLDER, row, SCROLLTRACE_NO_ID,
                           SCROLLTRACE_NO_ID);
  }
  scrolltrace_cell cell = SCROLLTRACE_CELL_INIT;
  cell.list = SCROLLTRACE_NAME("rows");
  cell.position = row;
  cell.view = view_of(label);
  scrolltrace_span_end_cell(&span, &cell);
}

static void on_unbind(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data) {
  (void)factory, (void)data;
  const guint row = gtk_list_item_get_position(item);
  if (row < row_count) labels[row] = NULL;
}

// ---- The frames ------------------------------------------------------------------------------

static scrolltrace_frame frame;
static scrolltrace_span phase;
static gint64 reported;  // the last frame whose timings were looked at

// GDK's times are microseconds, and 0 where GDK does not know: the recorder takes it as unknown.
static int64_t nanoseconds(gint64 time) { return time * 1000; }

// Says when frames were shown whose timings are complete by now. A time before the frame itself is
// one the display does not mean.
static void tell_presented(GdkFrameClock *clock) {
  const gint64 first = MAX(reported + 1, gdk_frame_clock_get_history_start(clock));
  for (gint64 id = first; id < gdk_frame_clock_get_frame_counter(clock); id++) {
    GdkFrameTimings *timings = gdk_frame_clock_get_timings(clock, id);
    if (timings == NULL) continue;
    if (!gdk_frame_timings_get_complete(timings)) break;
    const gint64 shown = gdk_frame_timings_get_presentation_time(timings);
    if (shown >= gdk_frame_timings_get_frame_time(timings))
      scrolltrace_presented(recorder, NULL, (uint64_t)id, nanoseconds(shown));
    reported = id;
  }
}

static void on_before_paint(GdkFrameClock *clock, gpointer data) {
  (void)data;
  GdkFrameTimings *timings = gdk_frame_clock_get_current_timings(clock);
  gint64 interval = 0, presentation = 0;
  gdk_frame_clock_get_refresh_info(clock, gdk_frame_clock_get_frame_time(clock), &interval,
                                   &presentation);
  // The clock's own frame time is smoothed; that of the timings is the true one.
  const scrolltrace_tick tick = {
      .begin = nanoseconds(timings != NULL ? gdk_frame_timings_get_frame_time(timings) : 0),
      .target = nanoseconds(
          timings != NULL ? gdk_frame_timings_get_predicted_presentation_time(timings) : 0),
      .interval = nanoseconds(interval)};
  frame = scrolltrace_frame_begin(recorder, NULL,
                                  (uint64_t)gdk_frame_clock_get_frame_counter(clock), &tick);
  phase = scrolltrace_phase_first(&frame, SCROLLTRACE_PHASE_EVENT);
}

static void on_update(GdkFrameClock *clock, gpointer data) {
  (void)clock, (void)data;
  scrolltrace_phase_next(&frame, &phase, SCROLLTRACE_PHASE_UPDATE);
}

static void on_layout(GdkFrameClock *clock, gpointer data) {
  (void)clock, (void)data;
  scrolltrace_phase_next(&frame, &phase, SCROLLTRACE_PHASE_LAYOUT);
}

static void on_paint(GdkFrameClock *clock, gpointer data) {
  (void)clock, (void)data;
  scrolltrace_phase_next(&frame, &phase, SCROLLTRACE_PHASE_DRAW);
}

static void on_after_paint(GdkFrameClock *clock, gpointer data) {
  (void)data;
  scrolltrace_frame_end_after(&frame, &phase);
  tell_presented(clock);
}

// ---- The scroll ------------------------------------------------------------------------------

static gint64 start;
static scrolltrace_interaction scrolling;

// Moves the list to where it is to be at `offset` pixels below the first row.
static void scroll_to(double offset) {
  const double top = first_row * row_height + offset;
  gtk_adjustment_set_value(adjustment, top);
  scrolltrace_counter_real(recorder, SCROLLTRACE_NAME("scroll offset"), top);
  if (!prefetches) return;
  const guint first = (guint)(top / row_height);
  const guint last = first + (guint)gtk_widget_get_height(scrolled_window) / row_height;
  for (guint row = first; row < last + rows_ahead; row++) ask_for(row);
}

static gboolean on_tick(GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  (void)widget, (void)data;
  static gboolean is_scrolling = FALSE;
  const gint64 time = gdk_frame_clock_get_frame_time(clock);
  // As long as GTK does not know how long the list is, it cannot be moved there.
  if (gtk_adjustment_get_value(adjustment) < first_row * row_height) {
    scroll_to(0);
    return G_SOURCE_CONTINUE;
  }
  if (start == 0) start = time;
  const double moving = (double)(time - start) / 1e6 - pause_before;
  if (moving < 0) return G_SOURCE_CONTINUE;
  if (moving > scroll_seconds) {
    scrolltrace_interaction_end(&scrolling);
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
  }
  if (!is_scrolling) {
    is_scrolling = TRUE;
    scrolling = scrolltrace_interaction_begin(recorder, SCROLLTRACE_NAME("scroll"), NULL);
  }
  scroll_to(moving * pixels_per_second);
  return G_SOURCE_CONTINUE;
}

static void on_map(GtkWidget *window, gpointer data) {
  (void)data;
  GdkFrameClock *clock = gtk_widget_get_frame_clock(window);
  g_signal_connect(clock, "before-paint", G_CALLBACK(on_before_paint), NULL);
  // Before GTK's own handlers, which do the work of each phase.
  g_signal_connect(clock, "update", G_CALLBACK(on_update), NULL);
  g_signal_connect(clock, "layout", G_CALLBACK(on_layout), NULL);
  g_signal_connect(clock, "paint", G_CALLBACK(on_paint), NULL);
  g_signal_connect_after(clock, "after-paint", G_CALLBACK(on_after_paint), NULL);
  gtk_widget_add_tick_callback(scrolled_window, on_tick, NULL, NULL);
}

static GtkWidget *make_window(void) {
  GtkStringList *items = gtk_string_list_new(NULL);
  for (int row = 0; row < row_count; row++) gtk_string_list_append(items, "");
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(on_setup), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(on_bind), NULL);
  g_signal_connect(factory, "unbind", G_CALLBACK(on_unbind), NULL);
  GtkSelectionModel *model = GTK_SELECTION_MODEL(gtk_no_selection_new(G_LIST_MODEL(items)));
  scrolled_window = gtk_scrolled_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled_window),
                                gtk_list_view_new(model, factory));
  adjustment = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scrolled_window));
  GtkWidget *window = gtk_window_new();
  gtk_window_set_default_size(GTK_WINDOW(window), 400, 600);
  gtk_window_set_child(GTK_WINDOW(window), scrolled_window);
  g_signal_connect(window, "map", G_CALLBACK(on_map), NULL);
  return window;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: gtk-list expensive|prefetch TRACE\n");
    return 64;
  }
  prefetches = strcmp(argv[1], "prefetch") == 0;
  scrolltrace_options options = SCROLLTRACE_OPTIONS_INIT;
  options.clock = SCROLLTRACE_CLOCK_MONOTONIC;  // as g_get_monotonic_time and all of GDK's times
  options.replaces_existing_file = true;
  scrolltrace_error error;
  if (scrolltrace_open(argv[2], &options, &recorder, &error) != SCROLLTRACE_OK) {
    fprintf(stderr, "gtk-list: %s\n", error.message);
    return 1;
  }
  // Advice is in GTK's terms.
  scrolltrace_state_set(recorder, SCROLLTRACE_NAME("host"), SCROLLTRACE_NAME("GTK"));
  gtk_init();
  workers = g_thread_pool_new(load, NULL, 1, TRUE, NULL);
  loop = g_main_loop_new(NULL, FALSE);
  gtk_window_present(GTK_WINDOW(make_window()));
  g_main_loop_run(loop);
  if (scrolltrace_finish(recorder, &error) != SCROLLTRACE_OK) {
    fprintf(stderr, "gtk-list: %s\n", error.message);
    return 1;
  }
  // The worker may still have rows to do that nobody will look at.
  return 0;
}
