/*
 * ScrollTrace for hosts in C and in languages that can call C: records what a list does, frame by
 * frame, into a trace that `scrolltrace analyze` reads.
 *
 *   scrolltrace_recorder *recorder = NULL;
 *   scrolltrace_error error;
 *   if (scrolltrace_open("run.fxt", NULL, &recorder, &error) != SCROLLTRACE_OK)
 *     fprintf(stderr, "%s\n", error.message);      // and go on: NULL records nothing
 *
 *   scrolltrace_frame frame = scrolltrace_frame_begin(recorder, NULL, SCROLLTRACE_NO_ID, &tick);
 *   scrolltrace_span span = scrolltrace_span_begin(
 *       recorder, SCROLLTRACE_CELL_CONFIGURE, SCROLLTRACE_CATEGORY_CELL, item);
 *   show(item);
 *   scrolltrace_span_end(&span);
 *   scrolltrace_frame_end(&frame);
 *   scrolltrace_finish(recorder, NULL);
 *
 * THREADS. Every function may be called from any thread at any time. A span and a frame belong to the
 * thread that began them; what ends on another one is recorded as a span of no thread. One variable
 * of type scrolltrace_span, scrolltrace_frame or scrolltrace_interaction is used by one thread at a
 * time.
 *
 * COST. Beginning and ending a span takes two readings of the processor's tick counter and little
 * more; no event allocates or takes a lock once its thread has recorded one like it. Those that do
 * take a lock say so.
 *
 * NULL AND AFTER THE END. A NULL recorder records nothing; a NULL span, frame or interaction, one that
 * was ended before and one of only zeros end nothing. A recorder stays valid when it is finished: what
 * comes later is counted as lost, see scrolltrace_get_losses. After a fork, the child records nothing.
 *
 * TIMES are nanoseconds of the recorder's clock, see scrolltrace_clock_kind. A time that is not
 * known is SCROLLTRACE_UNKNOWN; since all clocks count from the start of the machine, 0 and less are
 * taken as unknown too and are never recorded as times.
 *
 * TEXTS are UTF-8; where they are not, reports show a replacement character.
 */

#ifndef SCROLLTRACE_H
#define SCROLLTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. Later ones with the same major number only add. */
#define SCROLLTRACE_VERSION_MAJOR 1
#define SCROLLTRACE_VERSION_MINOR 0
#define SCROLLTRACE_VERSION_PATCH 0
#define SCROLLTRACE_VERSION                                              \
  (SCROLLTRACE_VERSION_MAJOR * 1000000 + SCROLLTRACE_VERSION_MINOR * 1000 \
   + SCROLLTRACE_VERSION_PATCH)

/* The version of the library, to be compared with SCROLLTRACE_VERSION. */
uint32_t scrolltrace_version(void);

/* ---- Values ---------------------------------------------------------------------------------- */

/* A time or a length of time that is not known. */
#define SCROLLTRACE_UNKNOWN INT64_MIN

/* No item, view, frame number, …; every other number, 0 among them, is an identifier. */
#define SCROLLTRACE_NO_ID UINT64_MAX

/* A recording. It is valid for the life of the process, also when it is finished. */
typedef struct scrolltrace_recorder scrolltrace_recorder;

/* A stream of frames: a display, a window, a layer. Valid for the life of the process, for its own
 * recorder. */
typedef struct scrolltrace_surface scrolltrace_surface;

/* A text that stays where it is for the life of the process, and the number of its bytes: of a
 * literal with SCROLLTRACE_NAME, of any other text with scrolltrace_register_name. Recording a name
 * compares its address only, so never make one of a text that may change or move. {NULL, 0} is the
 * empty text. */
typedef struct scrolltrace_name {
  const char *text;
  size_t length;
} scrolltrace_name;

/* What SCROLLTRACE_NAME calls. */
static inline scrolltrace_name scrolltrace_name_of_literal(const char *text, size_t length) {
  scrolltrace_name name;
  name.text = text;
  name.length = length;
  return name;
}

/* The name of a string literal. */
#define SCROLLTRACE_NAME(literal) scrolltrace_name_of_literal("" literal, sizeof(literal) - 1)

/* The same as an initializer: static const scrolltrace_name blur = SCROLLTRACE_NAME_INIT("blur"); */
#define SCROLLTRACE_NAME_INIT(literal) {"" literal, sizeof(literal) - 1}

/* No name: the empty text. */
#define SCROLLTRACE_NO_NAME SCROLLTRACE_NAME("")

/* A span that has begun. What is in it is the library's. */
typedef struct scrolltrace_span {
  uint64_t words[4];
} scrolltrace_span;

/* A frame that is being committed. */
typedef struct scrolltrace_frame {
  uint64_t id; /* its number on its surface; SCROLLTRACE_NO_ID where it is not recorded */
  uint64_t words[7];
} scrolltrace_frame;

/* An interaction that has begun. */
typedef struct scrolltrace_interaction {
  uint64_t words[4];
} scrolltrace_interaction;

/* ---- Open and finish ------------------------------------------------------------------------- */

/* What a call that can fail returns. */
typedef enum scrolltrace_result {
  SCROLLTRACE_OK = 0,
  SCROLLTRACE_ERROR_ARGUMENT = 1, /* an argument is NULL or makes no sense */
  SCROLLTRACE_ERROR_SYSTEM = 2,   /* the system refused; scrolltrace_error.system_error says why */
  SCROLLTRACE_ERROR_VERSION = 3,  /* the options ask for what this version of the library lacks */
  SCROLLTRACE_ERROR_FILE = 4      /* the file is gone or is no longer the recording's */
} scrolltrace_result;

/* What went wrong, for a program and for a person. */
typedef struct scrolltrace_error {
  int32_t code;         /* a scrolltrace_result */
  int32_t system_error; /* errno; 0 where the system had nothing to say */
  char message[504];    /* "file: what is wrong; what to do", always terminated, cut if too long */
} scrolltrace_error;

/* A line about a result that never changes and is never NULL. */
const char *scrolltrace_error_message(scrolltrace_result result);

/* The clock of a recording: take the one your display's times are of. */
typedef enum scrolltrace_clock_kind {
  SCROLLTRACE_CLOCK_UPTIME = 0,    /* CLOCK_MONOTONIC_RAW; mach_absolute_time on Apple's systems */
  SCROLLTRACE_CLOCK_MONOTONIC = 1, /* CLOCK_MONOTONIC, as of DRM, Wayland, GLib and X.org */
  SCROLLTRACE_CLOCK_CONTINUOUS = 2 /* CLOCK_BOOTTIME: counts while the machine sleeps */
} scrolltrace_clock_kind;

/* Whether each frame says what the system counted for its thread since that thread began, at the frame's
 * start and at the end of its commit: nanoseconds on a core and, on Linux, nanoseconds ready to run
 * without a core, context switches (preempted, and to wait) and page faults (without and with input).
 * From that a report knows whether the work of a late frame ran, waited, or had no core. A reading takes
 * one to two microseconds and a frame has two; spans cost nothing more. What the system does not say is
 * left out. */
typedef enum scrolltrace_thread_time {
  SCROLLTRACE_THREAD_TIME_DEFAULT = 0, /* on where it is cheap: on Linux */
  SCROLLTRACE_THREAD_TIME_ON = 1,
  SCROLLTRACE_THREAD_TIME_OFF = 2
} scrolltrace_thread_time;

/* How a recording is made. Begin with SCROLLTRACE_OPTIONS_INIT, or with zeros and struct_size set:
 * zeros are the defaults. Later versions append members. */
typedef struct scrolltrace_options {
  size_t struct_size;           /* sizeof(scrolltrace_options) */
  uint64_t maximum_bytes;       /* the most the file may grow to; 0 is 1 GiB. More is counted as lost */
  uint64_t prepared_bytes;      /* made ready at the start, at most maximum_bytes */
  int32_t clock;                /* a scrolltrace_clock_kind */
  bool replaces_existing_file;  /* else a file that is there is an error */
  bool starts_off;              /* whether recording is off until scrolltrace_set_enabled */
  bool records_all_main_work;   /* whether main-thread time without a span is idle time */
  bool leaves_chunks_unsealed;  /* whether scrolltrace_finish computes no checksums */
  uint64_t ring_bytes;          /* keep so many, the oldest overwritten, at most maximum_bytes; 0: all */
  const char *hitch_dump_path;  /* dump after hitches, into this and -1.fxt, -2.fxt ...; NULL for none */
  int64_t hitch_dump_limit;     /* the shortest hitch to dump after, in nanoseconds */
  int32_t thread_time;          /* a scrolltrace_thread_time */
  int32_t reserved;             /* 0 */
} scrolltrace_options;

#define SCROLLTRACE_OPTIONS_INIT                                                                  \
  {sizeof(scrolltrace_options), 0, 0, SCROLLTRACE_CLOCK_UPTIME, false, false, false, false, 0, NULL, \
   0, SCROLLTRACE_THREAD_TIME_DEFAULT, 0}

/* Begins a recording in a new file, which only its owner can read. The file is a valid trace from now
 * on, whatever happens to the process.
 *
 * options, error: NULL for the defaults, and where nobody wants to know. recorder: set to the
 * recording; to NULL where the call fails, which all other calls take and record nothing. */
scrolltrace_result scrolltrace_open(const char *path, const scrolltrace_options *options,
                                    scrolltrace_recorder **recorder, scrolltrace_error *error);

/* Ends the recording and cuts the file to what is used; a second call does nothing. Spans that are
 * open stay open in the file. Takes a lock and writes. */
scrolltrace_result scrolltrace_finish(scrolltrace_recorder *recorder, scrolltrace_error *error);

/* Writes what the recording holds now into a new file, while all threads go on recording: the last
 * part, where ring_bytes is set. No recording thread waits; the caller does, about a millisecond for
 * each MiB. The file is an ordinary trace. A file that is there already is an error. */
scrolltrace_result scrolltrace_dump(scrolltrace_recorder *recorder, const char *path,
                                    scrolltrace_error *error);

/* How many dumps have been made after hitches, at most one in ten seconds and sixteen in all. A hitch is
 * a frame that is presented so much later than its target, or whose commit ends so much later than its
 * deadline. error: NULL, or why the last dump that failed did; its code is SCROLLTRACE_OK where none
 * has. */
uint32_t scrolltrace_get_dump_count(const scrolltrace_recorder *recorder, scrolltrace_error *error);

/* Switches recording off or on; off, an event costs one load. Spans that are open are still recorded
 * when they end. */
void scrolltrace_set_enabled(scrolltrace_recorder *recorder, bool enabled);

/* Whether events are recorded. */
bool scrolltrace_is_enabled(const scrolltrace_recorder *recorder);

/* The recorder's clock now; SCROLLTRACE_UNKNOWN for NULL. */
int64_t scrolltrace_now(const scrolltrace_recorder *recorder);

/* What a recording has lost so far, by cause. Set struct_size to sizeof(scrolltrace_losses) first;
 * no more than that is written. */
typedef struct scrolltrace_losses {
  size_t struct_size;
  uint64_t no_chunk;    /* events that found no room: the disk is full, maximum_bytes is reached */
  uint64_t too_big;     /* events that, or whose texts, were too big */
  uint64_t after_close; /* events after scrolltrace_finish */
} scrolltrace_losses;

/* Counts what is lost; all 0 for a NULL recorder. */
void scrolltrace_get_losses(const scrolltrace_recorder *recorder, scrolltrace_losses *losses);

/* ---- Names, surfaces, threads ---------------------------------------------------------------- */

/* A name of a text that is only known at run time: kept for the life of the process, so register each
 * once and keep what is returned; not one for each item. The same text gives the same name. Any
 * recorder takes it. A text of more than 4000 bytes gives a name whose events are counted as too big.
 * Takes a lock. */
scrolltrace_name scrolltrace_register_name(scrolltrace_recorder *recorder, const char *text,
                                           size_t length);

/* The surface called name; asked for again, the same one. NULL for a NULL recorder; frames of
 * the NULL surface are those of the one called "display". Takes a lock.
 *
 * tolerance: how exact presentation times are, in nanoseconds: 0 exact, 1000000 for display links that
 * only know when the next refresh was due; SCROLLTRACE_UNKNOWN or less than 0 says nothing. */
scrolltrace_surface *scrolltrace_get_surface(scrolltrace_recorder *recorder, scrolltrace_name name,
                                             int64_t tolerance);

/* Names the calling thread in the trace. Takes a lock. */
void scrolltrace_set_thread_name(scrolltrace_recorder *recorder, scrolltrace_name name);

/* ---- Frames ---------------------------------------------------------------------------------- */

/* What the display says about the next frame. Zeros are unknown: {.target = due} is a tick. */
typedef struct scrolltrace_tick {
  int64_t begin;    /* the earliest instant at which the host could work on the frame */
  int64_t deadline; /* when the commit has to be done */
  int64_t target;   /* when the frame should be on the glass */
  int64_t interval; /* the time to the next refresh */
} scrolltrace_tick;

/* Begins the commit of a frame on the calling thread; what the tick says is in the file at once.
 *
 * id: its number on its surface; SCROLLTRACE_NO_ID to count, from 1. Number all frames of a surface or
 * none. tick: NULL where nothing is known. */
scrolltrace_frame scrolltrace_frame_begin(scrolltrace_recorder *recorder,
                                          scrolltrace_surface *surface, uint64_t id,
                                          const scrolltrace_tick *tick);

/* The words for phases; the host's own do as well. */
#define SCROLLTRACE_PHASE_EVENT SCROLLTRACE_NAME("event")
#define SCROLLTRACE_PHASE_UPDATE SCROLLTRACE_NAME("update")
#define SCROLLTRACE_PHASE_LAYOUT SCROLLTRACE_NAME("layout")
#define SCROLLTRACE_PHASE_DRAW SCROLLTRACE_NAME("draw")
#define SCROLLTRACE_PHASE_PREPARE SCROLLTRACE_NAME("prepare")
#define SCROLLTRACE_PHASE_COMMIT SCROLLTRACE_NAME("commit")

/* Begins a phase of the commit now; scrolltrace_span_end ends it. */
scrolltrace_span scrolltrace_phase_begin(const scrolltrace_frame *frame, scrolltrace_name phase);

/* Begins the first phase at the instant the commit began, without reading the clock. */
scrolltrace_span scrolltrace_phase_first(const scrolltrace_frame *frame, scrolltrace_name phase);

/* Ends the phase and begins the next in its place, with one reading of the clock. */
void scrolltrace_phase_next(const scrolltrace_frame *frame, scrolltrace_span *phase,
                            scrolltrace_name next);

/* Ends the commit, on the thread that began it. The frame's id stays, for scrolltrace_presented. */
void scrolltrace_frame_end(scrolltrace_frame *frame);

/* Ends the last phase and the commit with one reading of the clock. */
void scrolltrace_frame_end_after(scrolltrace_frame *frame, scrolltrace_span *phase);

/* Says when a frame was on the glass, as the display tells; later, or never, from any thread. Give no
 * guess: with the target in its place no frame is ever late. An unknown time records nothing. */
void scrolltrace_presented(scrolltrace_recorder *recorder, scrolltrace_surface *surface, uint64_t id,
                           int64_t time);

/* The words for what became of a frame. */
#define SCROLLTRACE_OUTCOME_PRESENTED SCROLLTRACE_NAME("presented")
#define SCROLLTRACE_OUTCOME_DROPPED SCROLLTRACE_NAME("dropped")
#define SCROLLTRACE_OUTCOME_NOT_REQUESTED SCROLLTRACE_NAME("notRequested")

/* Says what became of a frame, from any thread. */
void scrolltrace_resolved(scrolltrace_recorder *recorder, scrolltrace_surface *surface, uint64_t id,
                          scrolltrace_name outcome);

/* Records a frame after the fact; every time may be unknown. The commit becomes no span: record the
 * work itself with scrolltrace_span_record. */
void scrolltrace_frame_record(scrolltrace_recorder *recorder, scrolltrace_surface *surface,
                              uint64_t id, const scrolltrace_tick *tick, int64_t commit_start,
                              int64_t commit_end, int64_t presented);

/* ---- Spans, marks, numbers, states ----------------------------------------------------------- */

/* The categories; the host's own do as well, if they do not begin with "scrolltrace.". */
#define SCROLLTRACE_CATEGORY_WORK SCROLLTRACE_NAME("scrolltrace.work")
#define SCROLLTRACE_CATEGORY_CELL SCROLLTRACE_NAME("scrolltrace.cell")
#define SCROLLTRACE_CATEGORY_IMAGE SCROLLTRACE_NAME("scrolltrace.image")
#define SCROLLTRACE_CATEGORY_DATA SCROLLTRACE_NAME("scrolltrace.data")
#define SCROLLTRACE_CATEGORY_WAITING SCROLLTRACE_NAME("scrolltrace.waiting")

/* Begins a span of the calling thread. item: the item that is worked on, by its stable identifier, or
 * SCROLLTRACE_NO_ID. */
scrolltrace_span scrolltrace_span_begin(scrolltrace_recorder *recorder, scrolltrace_name name,
                                        scrolltrace_name category, uint64_t item);

/* Ends a span and takes it out of the variable, so that ending it again does nothing. */
void scrolltrace_span_end(scrolltrace_span *span);

/* Records a span after the fact. It may cross other spans, so it belongs to no thread's stack. With an
 * unknown time nothing is recorded. */
void scrolltrace_span_record(scrolltrace_recorder *recorder, scrolltrace_name name,
                             scrolltrace_name category, uint64_t item, int64_t begin, int64_t end);

/* Records that something happened now. */
void scrolltrace_mark(scrolltrace_recorder *recorder, scrolltrace_name name,
                      scrolltrace_name category, uint64_t item);

/* Records a sample of a number, such as the bytes in a cache. */
void scrolltrace_counter(scrolltrace_recorder *recorder, scrolltrace_name name, int64_t value);

/* Records a sample of a number that is measured, such as a scroll offset. */
void scrolltrace_counter_real(scrolltrace_recorder *recorder, scrolltrace_name name, double value);

/* Records that a state holds from now on; reports can be split by states. Takes a lock. */
void scrolltrace_state_set(scrolltrace_recorder *recorder, scrolltrace_name key,
                           scrolltrace_name value);

/* Records that a state holds no more. */
void scrolltrace_state_clear(scrolltrace_recorder *recorder, scrolltrace_name key);

/* Begins, leads on and ends an arrow, such as one from a request to the work that answers it; id is
 * what joins its parts. Each belongs to the span that is open on the calling thread. */
void scrolltrace_flow_begin(scrolltrace_recorder *recorder, scrolltrace_name name,
                            scrolltrace_name category, uint64_t id);
void scrolltrace_flow_step(scrolltrace_recorder *recorder, scrolltrace_name name,
                           scrolltrace_name category, uint64_t id);
void scrolltrace_flow_end(scrolltrace_recorder *recorder, scrolltrace_name name,
                          scrolltrace_name category, uint64_t id);

/* ---- Interactions ---------------------------------------------------------------------------- */

/* The words for why the display is owed a frame at every refresh; the host's own do as well. */
#define SCROLLTRACE_INTERACTION_DRAG SCROLLTRACE_NAME("drag")
#define SCROLLTRACE_INTERACTION_DECELERATION SCROLLTRACE_NAME("deceleration")
#define SCROLLTRACE_INTERACTION_ANIMATION SCROLLTRACE_NAME("animation")
#define SCROLLTRACE_INTERACTION_REORDER SCROLLTRACE_NAME("reorder")
#define SCROLLTRACE_INTERACTION_PAGING SCROLLTRACE_NAME("paging")
#define SCROLLTRACE_INTERACTION_REFRESH SCROLLTRACE_NAME("refresh")

/* Begins an interaction, in which the display is owed a frame at every refresh: hitches are counted in
 * interactions only. surface: the one that moves; NULL for all. */
scrolltrace_interaction scrolltrace_interaction_begin(scrolltrace_recorder *recorder,
                                                      scrolltrace_name kind,
                                                      scrolltrace_surface *surface);

/* Ends an interaction, on any thread, and makes it all zeros. */
void scrolltrace_interaction_end(scrolltrace_interaction *interaction);

/* ---- Cells, images, data --------------------------------------------------------------------- */

/* Steps of a cell's preparation: spans of SCROLLTRACE_CATEGORY_CELL. */
#define SCROLLTRACE_CELL_FETCH SCROLLTRACE_NAME("fetch")
#define SCROLLTRACE_CELL_DEQUEUE SCROLLTRACE_NAME("dequeue")
#define SCROLLTRACE_CELL_CREATE SCROLLTRACE_NAME("create")
#define SCROLLTRACE_CELL_PREPARE_FOR_REUSE SCROLLTRACE_NAME("prepareForReuse")
#define SCROLLTRACE_CELL_CONFIGURE SCROLLTRACE_NAME("configure")
#define SCROLLTRACE_CELL_SIZE SCROLLTRACE_NAME("size")
#define SCROLLTRACE_CELL_PREPARE SCROLLTRACE_NAME("prepare") /* the whole; the others nest in it */

/* Instants of a cell's life. */
#define SCROLLTRACE_CELL_WILL_DISPLAY SCROLLTRACE_NAME("willDisplay")
#define SCROLLTRACE_CELL_DID_END_DISPLAYING SCROLLTRACE_NAME("didEndDisplaying")
#define SCROLLTRACE_CELL_DISCARD SCROLLTRACE_NAME("discard")

/* What is known of a cell. Begin with SCROLLTRACE_CELL_INIT: everything unknown. Item, position and
 * view are three things: the content, its place now, and the view that shows it. */
typedef struct scrolltrace_cell {
  size_t struct_size;      /* sizeof(scrolltrace_cell) */
  uint64_t item;           /* SCROLLTRACE_NO_ID takes the item of the span */
  uint64_t view;           /* the view's own identifier, or SCROLLTRACE_NO_ID */
  int64_t position;        /* the place in the list; less than 0 is unknown */
  uint64_t registration;   /* which registration made the cell, or SCROLLTRACE_NO_ID */
  scrolltrace_name list;   /* the list; empty is unknown */
  scrolltrace_name kind;   /* what sort of cell it is; empty is unknown */
  double estimated_size;   /* what the layout counted with; less than 0 is unknown */
  double size;             /* what it turned out to be; less than 0 is unknown */
  int32_t reused;          /* from the reuse pool: 1 yes, 0 no, -1 unknown */
  int32_t ahead;           /* prepared before it is needed: 1 yes, 0 no, -1 unknown */
} scrolltrace_cell;

#define SCROLLTRACE_CELL_INIT                                                               \
  {sizeof(scrolltrace_cell), SCROLLTRACE_NO_ID, SCROLLTRACE_NO_ID, -1, SCROLLTRACE_NO_ID, \
   {NULL, 0}, {NULL, 0}, -1, -1, -1, -1}

/* Ends a step of a cell's preparation with all that is known by now; cell may be NULL. */
void scrolltrace_span_end_cell(scrolltrace_span *span, const scrolltrace_cell *cell);

/* Records an instant of a cell's life. */
void scrolltrace_cell_mark(scrolltrace_recorder *recorder, scrolltrace_name mark,
                           const scrolltrace_cell *cell);

/* Records a step of a cell's preparation after the fact, as scrolltrace_span_record does. */
void scrolltrace_cell_record(scrolltrace_recorder *recorder, scrolltrace_name step,
                             const scrolltrace_cell *cell, int64_t begin, int64_t end);

/* Work on an image: spans of SCROLLTRACE_CATEGORY_IMAGE. */
#define SCROLLTRACE_IMAGE_DECODE SCROLLTRACE_NAME("decode")
#define SCROLLTRACE_IMAGE_THUMBNAIL SCROLLTRACE_NAME("thumbnail")
#define SCROLLTRACE_IMAGE_DOWNLOAD SCROLLTRACE_NAME("download")

/* Instants of an image's life. */
#define SCROLLTRACE_IMAGE_PLACEHOLDER SCROLLTRACE_NAME("placeholder")
#define SCROLLTRACE_IMAGE_FINAL SCROLLTRACE_NAME("final")
#define SCROLLTRACE_IMAGE_CACHE_HIT SCROLLTRACE_NAME("cacheHit")
#define SCROLLTRACE_IMAGE_CACHE_MISS SCROLLTRACE_NAME("cacheMiss")
#define SCROLLTRACE_IMAGE_EVICT SCROLLTRACE_NAME("evict")

/* Ends work on an image. view, bytes: the view it is for and its size, or SCROLLTRACE_NO_ID. */
void scrolltrace_span_end_image(scrolltrace_span *span, uint64_t view, uint64_t bytes);

/* Records an instant of an image's life. */
void scrolltrace_image_mark(scrolltrace_recorder *recorder, scrolltrace_name mark, uint64_t item,
                            uint64_t view, uint64_t bytes);

/* Work on the data behind a list: spans of SCROLLTRACE_CATEGORY_DATA. */
#define SCROLLTRACE_DATA_LOAD SCROLLTRACE_NAME("load")
#define SCROLLTRACE_DATA_APPLY_SNAPSHOT SCROLLTRACE_NAME("applySnapshot")

/* Instants of data's life. */
#define SCROLLTRACE_DATA_PREFETCH SCROLLTRACE_NAME("prefetch")
#define SCROLLTRACE_DATA_CANCEL_PREFETCH SCROLLTRACE_NAME("cancelPrefetch")
#define SCROLLTRACE_DATA_LATE_RESULT SCROLLTRACE_NAME("lateResult")

/* Ends work on data. list: whose data it is; empty is unknown. view: for which view it is, or
 * SCROLLTRACE_NO_ID. */
void scrolltrace_span_end_data(scrolltrace_span *span, scrolltrace_name list, uint64_t view);

/* Records an instant of data's life. */
void scrolltrace_data_mark(scrolltrace_recorder *recorder, scrolltrace_name mark,
                           scrolltrace_name list, uint64_t item, uint64_t view);

/* How a snapshot was applied. Begin with SCROLLTRACE_SNAPSHOT_INIT: everything unknown. */
typedef struct scrolltrace_snapshot {
  size_t struct_size;    /* sizeof(scrolltrace_snapshot) */
  scrolltrace_name list; /* the list; empty is unknown */
  scrolltrace_name kind; /* how it was applied, for example "differences" or "reload" */
  int64_t inserted;      /* how many items; less than 0 is unknown, so for all below */
  int64_t deleted;
  int64_t reconfigured;
  int64_t reloaded;
} scrolltrace_snapshot;

#define SCROLLTRACE_SNAPSHOT_INIT \
  {sizeof(scrolltrace_snapshot), {NULL, 0}, {NULL, 0}, -1, -1, -1, -1}

/* Ends the span SCROLLTRACE_DATA_APPLY_SNAPSHOT; snapshot may be NULL. */
void scrolltrace_span_end_snapshot(scrolltrace_span *span, const scrolltrace_snapshot *snapshot);

#ifdef __cplusplus
}
#endif

#endif
