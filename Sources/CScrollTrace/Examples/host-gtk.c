// A GtkListView that scrolls by itself for two seconds and prints its frame clock: host-gtk TRACE
//   cc host-gtk.c $(pkg-config --cflags --libs gtk4 scrolltrace) -o host-gtk
#include <gtk/gtk.h>
#include <scrolltrace.h>
static scrolltrace_recorder *recorder;
static scrolltrace_frame frame;
static GMainLoop *loop;

static void bind(GtkSignalListItemFactory *f, GtkListItem *item, gpointer data) {
  const guint row = gtk_list_item_get_position(item);
  scrolltrace_span span = scrolltrace_span_begin(recorder, SCROLLTRACE_CELL_CONFIGURE,
                                                 SCROLLTRACE_CATEGORY_CELL, row);
  const gint64 end = g_get_monotonic_time() + (row % 40 == 0 ? 60000 : 500);  // a slow row
  while (g_get_monotonic_time() < end) {}
  gtk_list_item_set_child(item, gtk_label_new("Row"));
  scrolltrace_span_end(&span);
}
static void before(GdkFrameClock *clock, gpointer data) {
  scrolltrace_tick tick = {.begin = 1000 * gdk_frame_clock_get_frame_time(clock),
                           .interval = 16666667};
  frame = scrolltrace_frame_begin(recorder, NULL, gdk_frame_clock_get_frame_counter(clock), &tick);
}
static void after(GdkFrameClock *clock, gpointer data) {
  g_print("%d %ld\n", (int)frame.id, (long)gdk_frame_clock_get_frame_time(clock));
  scrolltrace_frame_end(&frame);
}
static gboolean scroll(GtkWidget *list, GdkFrameClock *clock, gpointer position) {
  static scrolltrace_interaction moving;
  static int frames;
  if (++frames < 60) return G_SOURCE_CONTINUE;
  if (frames == 60)
    moving = scrolltrace_interaction_begin(recorder, SCROLLTRACE_NAME("scroll"), NULL);
  gtk_adjustment_set_value(position, gtk_adjustment_get_value(position) + 60);
  if (frames < 180) return G_SOURCE_CONTINUE;
  scrolltrace_interaction_end(&moving);
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}
int main(int argc, char **argv) {
  scrolltrace_options options = {sizeof options, .clock = SCROLLTRACE_CLOCK_MONOTONIC};  // GDK's
  if (argc < 2 || scrolltrace_open(argv[1], &options, &recorder, NULL) != SCROLLTRACE_OK) return 1;
  gtk_init();
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "bind", G_CALLBACK(bind), NULL);
  GtkStringList *rows = gtk_string_list_new(NULL);
  for (int row = 0; row < 5000; row++) gtk_string_list_append(rows, "");
  GtkNoSelection *model = gtk_no_selection_new(G_LIST_MODEL(rows));
  GtkWidget *list = gtk_list_view_new(GTK_SELECTION_MODEL(model), factory);
  GtkWidget *window = gtk_window_new(), *scrolled = gtk_scrolled_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), list);
  gtk_window_set_child(GTK_WINDOW(window), scrolled);
  gtk_window_present(GTK_WINDOW(window));
  GdkFrameClock *clock = gtk_widget_get_frame_clock(window);
  g_signal_connect(clock, "before-paint", G_CALLBACK(before), NULL);
  g_signal_connect_after(clock, "after-paint", G_CALLBACK(after), NULL);
  GtkAdjustment *position = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scrolled));
  gtk_widget_add_tick_callback(list, scroll, position, NULL);
  g_main_loop_run(loop = g_main_loop_new(NULL, FALSE));
  return scrolltrace_finish(recorder, NULL) != SCROLLTRACE_OK;
}
