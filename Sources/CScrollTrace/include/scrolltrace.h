/*
 * ScrollTrace for hosts in C and in languages that can call C: records what a list does, frame by
 * frame, into a trace that `scrolltrace analyze` reads.
 *
 *   scrolltrace_recorder *recorder = NULL;
 *   scrolltrace_error error;
 *   if (scrolltrace_open("run.fxt", NULL, &recorder, &error) != SCROLLTRACE_OK)
 *     fprintf(stderr, "%s\n", error.message);      // continue: NULL records nothing
 *
 *   scrolltrace_frame frame = scrolltrace_frame_begin(recorder, NULL, SCROLLTRACE_NO_ID, &tick);
 *   scrolltrace_span span = scrolltrace_span_begin(
 *       recorder, SCROLLTRACE_CELL_CONFIGURE, SCROLLTRACE_CATEGORY_CELL, item);
 *   show(item);
 *   scrolltrace_span_end(&span);
 *   scrolltrace_frame_end(&frame);
 *   scrolltrace_finish(recorder, NULL);
 *
 * THREADS. Any thread may call any function at any time. A span and a frame belong to the thread that
 * began them; one that ends on another thread is recorded outside any thread's stack. Only one thread
 * at a time may use a variable of type scrolltrace_span, scrolltrace_frame or scrolltrace_interaction.
 *
 * COST. Beginning and ending a span takes little more than two readings of the processor's tick
 * counter. No event allocates or takes a lock after its thread has recorded a similar one, unless its
 * comment says so.
 *
 * STACKS. A thread that records frames needs a stack of 64 KiB. With stack_sampling_ns, an alternate stack
 * for signals must have sysconf(_SC_MINSIGSTKSZ) and 8 KiB.
 *
 * SIGNAL HANDLERS. A handler may record spans and marks that are similar to earlier ones of its thread.
 * If it has interrupted the recorder itself, its events are refused and counted: see scrolltrace_losses.
 * Other functions take locks or allocate; do not call them from handlers.
 *
 * NULL AND AFTER THE END. A NULL recorder records nothing. Ending a NULL span, frame or interaction, one
 * that was ended before, or one of only zeros has no effect. A recorder stays valid after it is
 * finished: later events are counted as lost, see scrolltrace_get_losses. After a fork, the child
 * records nothing.
 *
 * TIMES are nanoseconds on the recorder's clock, see scrolltrace_clock_kind. An unknown time is
 * SCROLLTRACE_UNKNOWN. All clocks count from the start of the machine, so 0 and less also count as
 * unknown and are never recorded as times.
 *
 * TEXTS are UTF-8; reports show a replacement character for invalid bytes.
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

/* The version of the library, to compare with SCROLLTRACE_VERSION. */
uint32_t scrolltrace_version(void);

/* ---- Values ---------------------------------------------------------------------------------- */

/* An unknown time or duration. */
#define SCROLLTRACE_UNKNOWN INT64_MIN

/* No item, view, frame number and so on. Every other number, including 0, is an identifier. */
#define SCROLLTRACE_NO_ID UINT64_MAX

/* A recording. It is valid for the lifetime of the process, even after it is finished. */
typedef struct scrolltrace_recorder scrolltrace_recorder;

/* A surface that presents frames: a display, a window or a layer. It is valid for the lifetime of
 * the process, with its own recorder. */
typedef struct scrolltrace_surface scrolltrace_surface;

/* The address and length of a text that does not move or change for the lifetime of the process: a
 * literal with SCROLLTRACE_NAME, or any other text with scrolltrace_register_name. Recording
 * compares only the address, so never make a name from a text that may change or move. {NULL, 0}
 * is the empty text. */
typedef struct scrolltrace_name {
  const char *text;
  size_t length;
} scrolltrace_name;

/* The function that SCROLLTRACE_NAME calls. */
static inline scrolltrace_name scrolltrace_name_of_literal(const char *text, size_t length) {
  scrolltrace_name name;
  name.text = text;
  name.length = length;
  return name;
}

/* The name of a string literal. */
#define SCROLLTRACE_NAME(literal) scrolltrace_name_of_literal("" literal, sizeof(literal) - 1)

/* A name as an initializer: static const scrolltrace_name blur = SCROLLTRACE_NAME_INIT("blur"); */
#define SCROLLTRACE_NAME_INIT(literal) {"" literal, sizeof(literal) - 1}

/* No name: the empty text. */
#define SCROLLTRACE_NO_NAME SCROLLTRACE_NAME("")

/* An open span. Its content is private to the library. */
typedef struct scrolltrace_span {
  uint64_t words[4];
} scrolltrace_span;

/* A frame that is being committed. */
typedef struct scrolltrace_frame {
  uint64_t id; /* its number on its surface; SCROLLTRACE_NO_ID if not recorded */
  uint64_t words[7];
} scrolltrace_frame;

/* An open interaction. */
typedef struct scrolltrace_interaction {
  uint64_t words[4];
} scrolltrace_interaction;

/* ---- Open and finish ------------------------------------------------------------------------- */

/* The result of a call that can fail. */
typedef enum scrolltrace_result {
  SCROLLTRACE_OK = 0,
  SCROLLTRACE_ERROR_ARGUMENT = 1, /* an argument is NULL or invalid */
  SCROLLTRACE_ERROR_SYSTEM = 2,   /* a system call failed; see scrolltrace_error.system_error */
  SCROLLTRACE_ERROR_VERSION = 3,  /* this version does not support the options */
  SCROLLTRACE_ERROR_FILE = 4      /* the file is gone, was replaced, or is not a regular file */
} scrolltrace_result;

/* Details of an error. */
typedef struct scrolltrace_error {
  int32_t code;         /* a scrolltrace_result */
  int32_t system_error; /* errno, or 0 if the system reported none */
  char message[504];    /* "file: problem; next step", always terminated, truncated if too long */
} scrolltrace_error;

/* Returns a constant message about a result, never NULL. */
const char *scrolltrace_error_message(scrolltrace_result result);

/* The clock of a recording. Choose the one of your display's times: if the first frame's times are more
 * than a second from the recording's clock, the trace contains a notice that names both clocks. */
typedef enum scrolltrace_clock_kind {
  SCROLLTRACE_CLOCK_DEFAULT = 0,    /* MONOTONIC; UPTIME on Apple's systems */
  SCROLLTRACE_CLOCK_MONOTONIC = 1,  /* CLOCK_MONOTONIC, as in DRM, Wayland, GLib and X.org */
  SCROLLTRACE_CLOCK_CONTINUOUS = 2, /* CLOCK_BOOTTIME: counts while the machine sleeps */
  SCROLLTRACE_CLOCK_UPTIME = 3      /* CLOCK_MONOTONIC_RAW; mach_absolute_time on Apple's systems */
} scrolltrace_clock_kind;

/* Whether each frame records what the system has counted for its thread since the thread started, at the
 * frame's start and at the end of its commit: nanoseconds on a core and, on Linux, nanoseconds ready to
 * run without a core, context switches (preempted, and to wait) and page faults (without and with
 * input). A report can then say whether the work of a late frame ran, waited, or had no core. A reading
 * takes one to four microseconds and a frame has two; spans are not affected. Values that the system does
 * not provide are omitted. */
typedef enum scrolltrace_thread_time {
  SCROLLTRACE_THREAD_TIME_DEFAULT = 0, /* on if it is cheap: on Linux */
  SCROLLTRACE_THREAD_TIME_ON = 1,
  SCROLLTRACE_THREAD_TIME_OFF = 2
} scrolltrace_thread_time;

/* How a recording reaches its file. */
typedef enum scrolltrace_file_access {
  /* The file is mapped into memory and contains every event at once, whatever happens to the process.
   *
   * If the file is truncated or overwritten, a store would raise SIGBUS. The first recording installs a
   * handler that ends the recording instead: later events are counted as lost, and scrolltrace_finish
   * fails. The handler passes on every unrelated SIGBUS. A truncated file still kills the process in a
   * thread that blocks SIGBUS, and if the host later installs a handler that does not call the earlier
   * one. */
  SCROLLTRACE_FILE_MAPPED = 0,
  /* The file is written with ordinary writes, and no handler is installed. A chunk of 32 KiB is written
   * by its thread when it is full, and the rest at the end, so a thread sometimes waits for a write.
   * Memory holds a chunk for each thread, or the ring. If the process is killed, the events since each
   * thread's last full chunk, the open spans and the counts of losses are missing. */
  SCROLLTRACE_FILE_WRITTEN = 1
} scrolltrace_file_access;

/* The options of a recording. Initialize them with SCROLLTRACE_OPTIONS_INIT, or with zeros and
 * struct_size: zeros are the defaults. Later versions append members. */
typedef struct scrolltrace_options {
  size_t struct_size;           /* sizeof(scrolltrace_options) */
  uint64_t maximum_bytes;       /* the maximum file size; 0 is 1 GiB. More is counted as lost */
  uint64_t prepared_bytes;      /* allocated at the start; more than maximum_bytes is an error */
  int32_t clock;                /* a scrolltrace_clock_kind */
  bool replaces_existing_file;  /* a regular file; otherwise, an existing file is an error */
  bool starts_off;              /* whether recording is off until scrolltrace_set_enabled */
  bool records_all_main_work;   /* whether main-thread time without a span is idle time */
  bool leaves_chunks_unsealed;  /* whether scrolltrace_finish computes no checksums */
  uint64_t ring_bytes;          /* retain about this many; 0 keeps all. Less than 128 KiB counts as
                                 * 128 KiB; an error if maximum_bytes has no room for them */
  const char *hitch_dump_path;  /* dump after hitches to this plus -1.fxt, -2.fxt ...; NULL for none */
  int64_t hitch_dump_limit;     /* the shortest hitch that causes a dump, in nanoseconds */
  int32_t thread_time;          /* a scrolltrace_thread_time */
  int32_t file_access;          /* a scrolltrace_file_access */
  int64_t hitch_dump_pause;     /* least nanoseconds between two dumps; 0 is ten seconds */
  uint32_t hitch_dump_count;    /* the maximum number of dumps; 0 is 16 */
  bool prints_problems;         /* whether one line on standard error says that the first frame's times
                                 * are on another clock, and one that no stacks can be sampled */
  int64_t stack_sampling_ns;    /* the time between two samples of the stack of a thread with an open
                                 * frame, from 100000 to 1000000000; 0 for none. If the host handles
                                 * SIGURG itself, there are none, see scrolltrace_losses.no_stacks */
  uint64_t kept_one_in;         /* scrolltrace_finish deletes the trace, by chance, unless it is one in
                                 * this many; 0 and 1 keep all. Kept traces contain their weight */
  double kept_over;             /* traces with more ms of hitch time per second are always kept */
} scrolltrace_options;

#define SCROLLTRACE_OPTIONS_INIT                                                                  \
  {sizeof(scrolltrace_options), 0, 0, SCROLLTRACE_CLOCK_DEFAULT, false, false, false, false, 0,   \
   NULL, 0, SCROLLTRACE_THREAD_TIME_DEFAULT, SCROLLTRACE_FILE_MAPPED, 0, 0, false, 0, 0, 0}

/* Starts a recording in a new file, which only its owner can read. The file is a valid trace from
 * then on, whatever happens to the process.
 *
 * options: NULL for the defaults. error: NULL to ignore the details. recorder: set to the
 * recording, or to NULL if the call fails. All other calls accept NULL and record nothing. */
scrolltrace_result scrolltrace_open(const char *path, const scrolltrace_options *options,
                                    scrolltrace_recorder **recorder, scrolltrace_error *error);

/* Ends the recording and truncates the file to the size in use. A second call has no effect. Open
 * spans stay open in the file. Takes a lock and writes.
 *
 * With kept_one_in, the file may be deleted instead: the result is SCROLLTRACE_OK too, and error has a
 * message. A file that was moved or replaced is never deleted. */
scrolltrace_result scrolltrace_finish(scrolltrace_recorder *recorder, scrolltrace_error *error);

/* Writes the current content of the recording to a new file while all threads continue to record;
 * with ring_bytes, the last part. No recording thread waits. The caller waits about a millisecond
 * for each MiB. The file is an ordinary trace. An existing file is an error. */
scrolltrace_result scrolltrace_dump(scrolltrace_recorder *recorder, const char *path,
                                    scrolltrace_error *error);

/* Returns the number of dumps made after hitches, as hitch_dump_pause and hitch_dump_count allow.
 * A hitch is a frame that is presented later than its target, or whose commit ends later than its
 * deadline, by at least hitch_dump_limit. error: NULL, or set to the error of the last dump that
 * failed; its code is SCROLLTRACE_OK if none failed. */
uint32_t scrolltrace_get_dump_count(const scrolltrace_recorder *recorder, scrolltrace_error *error);

/* Turns recording off or on. While it is off, an event costs one load. Spans that are open are
 * still recorded when they end. */
void scrolltrace_set_enabled(scrolltrace_recorder *recorder, bool enabled);

/* Returns whether events are recorded. */
bool scrolltrace_is_enabled(const scrolltrace_recorder *recorder);

/* Returns the current time of the recorder's clock, or SCROLLTRACE_UNKNOWN for NULL. */
int64_t scrolltrace_now(const scrolltrace_recorder *recorder);

/* The losses of a recording, by reason. Set struct_size to sizeof(scrolltrace_losses) first; no
 * more than that is written. */
typedef struct scrolltrace_losses {
  size_t struct_size;
  uint64_t no_chunk;    /* events without room: the disk is full or maximum_bytes is reached */
  uint64_t too_big;     /* events that are too large, or whose texts are */
  uint64_t after_close; /* events after scrolltrace_finish, or after the file was truncated */
  uint64_t inside;      /* events of a signal handler that interrupted the recorder in its thread */
  uint64_t no_stacks;   /* 1 if stacks are not sampled, or no longer: the host handles SIGURG itself */
} scrolltrace_losses;

/* Counts the losses, all 0 for a NULL recorder. */
void scrolltrace_get_losses(const scrolltrace_recorder *recorder, scrolltrace_losses *losses);

/* ---- Names, surfaces, threads ---------------------------------------------------------------- */

/* Returns a name for a text that is known only at run time. Names are kept for the lifetime of the
 * process, so register each once and keep the result; do not register one for each item. The same
 * text gives the same name, and any recorder accepts it. A text of more than 4000 bytes gives a
 * name whose events are counted as too big. Takes a lock. */
scrolltrace_name scrolltrace_register_name(scrolltrace_recorder *recorder, const char *text,
                                           size_t length);

/* Returns the surface with a name, and creates it on the first call, or returns NULL for a NULL
 * recorder. The frames of the NULL surface are those of the surface called "display". Takes a lock.
 *
 * tolerance: the accuracy of presentation times in nanoseconds: 0 if exact, 1000000 for display
 * links, which report only when the next refresh was due; SCROLLTRACE_UNKNOWN or a negative number
 * if unknown. */
scrolltrace_surface *scrolltrace_get_surface(scrolltrace_recorder *recorder, scrolltrace_name name,
                                             int64_t tolerance);

/* Names the calling thread in the trace. Takes a lock. */
void scrolltrace_set_thread_name(scrolltrace_recorder *recorder, scrolltrace_name name);

/* ---- Frames ---------------------------------------------------------------------------------- */

/* The display's timing of the next frame. Zeros are unknown: {.target = due} is a valid timing. */
typedef struct scrolltrace_tick {
  int64_t begin;    /* the earliest time at which the host could work on the frame */
  int64_t deadline; /* the time by which the commit must end */
  int64_t target;   /* the time at which the frame should be on screen */
  int64_t interval; /* the refresh interval */
} scrolltrace_tick;

/* Begins the commit of a frame on the calling thread, and writes the timing immediately.
 *
 * id: the frame's number on its surface, or SCROLLTRACE_NO_ID to count from 1. Number either all
 * frames of a surface or none. tick: NULL if nothing is known. */
scrolltrace_frame scrolltrace_frame_begin(scrolltrace_recorder *recorder,
                                          scrolltrace_surface *surface, uint64_t id,
                                          const scrolltrace_tick *tick);

/* Names of phases. Custom names are allowed. */
#define SCROLLTRACE_PHASE_EVENT SCROLLTRACE_NAME("event")
#define SCROLLTRACE_PHASE_UPDATE SCROLLTRACE_NAME("update")
#define SCROLLTRACE_PHASE_LAYOUT SCROLLTRACE_NAME("layout")
#define SCROLLTRACE_PHASE_DRAW SCROLLTRACE_NAME("draw")
#define SCROLLTRACE_PHASE_PREPARE SCROLLTRACE_NAME("prepare")
#define SCROLLTRACE_PHASE_COMMIT SCROLLTRACE_NAME("commit")

/* Begins a phase of the commit now; scrolltrace_span_end ends it. */
scrolltrace_span scrolltrace_phase_begin(const scrolltrace_frame *frame, scrolltrace_name phase);

/* Begins the first phase at the start of the commit, without reading the clock. */
scrolltrace_span scrolltrace_phase_first(const scrolltrace_frame *frame, scrolltrace_name phase);

/* Ends a phase and begins the next, reading the clock once. */
void scrolltrace_phase_next(const scrolltrace_frame *frame, scrolltrace_span *phase,
                            scrolltrace_name next);

/* Ends the commit. Call this function on the thread that began it. The frame's id remains, for
 * scrolltrace_presented. */
void scrolltrace_frame_end(scrolltrace_frame *frame);

/* Ends the last phase and the commit, reading the clock once. */
void scrolltrace_frame_end_after(scrolltrace_frame *frame, scrolltrace_span *phase);

/* Records when a frame was presented, as the display reports it. Call it later, or never, from any
 * thread. Do not estimate it: with the target time, no frame would ever be late. An unknown time
 * records nothing. */
void scrolltrace_presented(scrolltrace_recorder *recorder, scrolltrace_surface *surface, uint64_t id,
                           int64_t time);

/* Names of outcomes of a frame. */
#define SCROLLTRACE_OUTCOME_PRESENTED SCROLLTRACE_NAME("presented")
#define SCROLLTRACE_OUTCOME_DROPPED SCROLLTRACE_NAME("dropped")
#define SCROLLTRACE_OUTCOME_NOT_REQUESTED SCROLLTRACE_NAME("notRequested")

/* Records the outcome of a frame, from any thread. */
void scrolltrace_resolved(scrolltrace_recorder *recorder, scrolltrace_surface *surface, uint64_t id,
                          scrolltrace_name outcome);

/* Records a frame after the fact. Every time may be unknown. The commit is not recorded as a span;
 * record the work with scrolltrace_span_record. */
void scrolltrace_frame_record(scrolltrace_recorder *recorder, scrolltrace_surface *surface,
                              uint64_t id, const scrolltrace_tick *tick, int64_t commit_start,
                              int64_t commit_end, int64_t presented);

/* ---- Spans, marks, numbers, states ----------------------------------------------------------- */

/* Categories. Custom categories are allowed if they do not start with "scrolltrace.". */
#define SCROLLTRACE_CATEGORY_WORK SCROLLTRACE_NAME("scrolltrace.work")
#define SCROLLTRACE_CATEGORY_CELL SCROLLTRACE_NAME("scrolltrace.cell")
#define SCROLLTRACE_CATEGORY_IMAGE SCROLLTRACE_NAME("scrolltrace.image")
#define SCROLLTRACE_CATEGORY_DATA SCROLLTRACE_NAME("scrolltrace.data")
#define SCROLLTRACE_CATEGORY_WAITING SCROLLTRACE_NAME("scrolltrace.waiting")

/* Begins a span of the calling thread. item: the stable identifier of the item that the work is
 * for, or SCROLLTRACE_NO_ID. */
scrolltrace_span scrolltrace_span_begin(scrolltrace_recorder *recorder, scrolltrace_name name,
                                        scrolltrace_name category, uint64_t item);

/* Ends a span and clears the variable, so that ending it again has no effect. */
void scrolltrace_span_end(scrolltrace_span *span);

/* Records a span after the fact. It may overlap other spans, so it does not belong to a thread's
 * stack. A span with an unknown time is not recorded. */
void scrolltrace_span_record(scrolltrace_recorder *recorder, scrolltrace_name name,
                             scrolltrace_name category, uint64_t item, int64_t begin, int64_t end);

/* Records an operation that suspends, such as a task of a coroutine, after the fact. It does not count
 * as work of a thread; record work on a thread as spans. */
void scrolltrace_operation_record(scrolltrace_recorder *recorder, scrolltrace_name name,
                                  scrolltrace_name category, uint64_t item, int64_t begin,
                                  int64_t end);

/* Records an event at the current time. */
void scrolltrace_mark(scrolltrace_recorder *recorder, scrolltrace_name name,
                      scrolltrace_name category, uint64_t item);

/* Records a counter value, such as the number of bytes in a cache. */
void scrolltrace_counter(scrolltrace_recorder *recorder, scrolltrace_name name, int64_t value);

/* Records a counter value that is a real number, such as a scroll offset. */
void scrolltrace_counter_real(scrolltrace_recorder *recorder, scrolltrace_name name, double value);

/* Sets a state from now on. Reports can be filtered by state. The state "host" names the toolkit
 * ("GTK", "Qt Quick", "SDL"), so that advice uses its terms. Takes a lock. */
void scrolltrace_state_set(scrolltrace_recorder *recorder, scrolltrace_name key,
                           scrolltrace_name value);

/* Clears a state. */
void scrolltrace_state_clear(scrolltrace_recorder *recorder, scrolltrace_name key);

/* Begin, continue and end a flow, such as from a request to the work that answers it. id
 * identifies the flow. Each point belongs to the span that is open on the calling thread. */
void scrolltrace_flow_begin(scrolltrace_recorder *recorder, scrolltrace_name name,
                            scrolltrace_name category, uint64_t id);
void scrolltrace_flow_step(scrolltrace_recorder *recorder, scrolltrace_name name,
                           scrolltrace_name category, uint64_t id);
void scrolltrace_flow_end(scrolltrace_recorder *recorder, scrolltrace_name name,
                          scrolltrace_name category, uint64_t id);

/* ---- Interactions ---------------------------------------------------------------------------- */

/* Kinds of interactions. Custom kinds are allowed. */
#define SCROLLTRACE_INTERACTION_DRAG SCROLLTRACE_NAME("drag")
#define SCROLLTRACE_INTERACTION_DECELERATION SCROLLTRACE_NAME("deceleration")
#define SCROLLTRACE_INTERACTION_ANIMATION SCROLLTRACE_NAME("animation")
#define SCROLLTRACE_INTERACTION_REORDER SCROLLTRACE_NAME("reorder")
#define SCROLLTRACE_INTERACTION_PAGING SCROLLTRACE_NAME("paging")
#define SCROLLTRACE_INTERACTION_REFRESH SCROLLTRACE_NAME("refresh")

/* Begins an interaction, during which a frame is expected at every refresh. Hitches are counted
 * only in interactions. surface: the surface that moves, or NULL for all. */
scrolltrace_interaction scrolltrace_interaction_begin(scrolltrace_recorder *recorder,
                                                      scrolltrace_name kind,
                                                      scrolltrace_surface *surface);

/* Ends an interaction, on any thread, and clears the variable. */
void scrolltrace_interaction_end(scrolltrace_interaction *interaction);

/* ---- Cells, images, data --------------------------------------------------------------------- */

/* Steps in preparing a cell: spans of SCROLLTRACE_CATEGORY_CELL. */
#define SCROLLTRACE_CELL_FETCH SCROLLTRACE_NAME("fetch")
#define SCROLLTRACE_CELL_DEQUEUE SCROLLTRACE_NAME("dequeue")
#define SCROLLTRACE_CELL_CREATE SCROLLTRACE_NAME("create")
#define SCROLLTRACE_CELL_PREPARE_FOR_REUSE SCROLLTRACE_NAME("prepareForReuse")
#define SCROLLTRACE_CELL_CONFIGURE SCROLLTRACE_NAME("configure")
#define SCROLLTRACE_CELL_SIZE SCROLLTRACE_NAME("size")
#define SCROLLTRACE_CELL_PREPARE SCROLLTRACE_NAME("prepare") /* the whole preparation; the others nest in it */

/* Events in a cell's life. */
#define SCROLLTRACE_CELL_WILL_DISPLAY SCROLLTRACE_NAME("willDisplay")
#define SCROLLTRACE_CELL_DID_END_DISPLAYING SCROLLTRACE_NAME("didEndDisplaying")
#define SCROLLTRACE_CELL_DISCARD SCROLLTRACE_NAME("discard")

/* The details of a cell. Initialize them with SCROLLTRACE_CELL_INIT: everything unknown. Item,
 * position and view are different things: the content, its current index, and the view that
 * displays it. */
typedef struct scrolltrace_cell {
  size_t struct_size;      /* sizeof(scrolltrace_cell) */
  uint64_t item;           /* SCROLLTRACE_NO_ID takes the item of the span */
  uint64_t view;           /* the view's identifier, or SCROLLTRACE_NO_ID */
  int64_t position;        /* the index in the list; less than 0 is unknown */
  uint64_t registration;   /* the registration that created the cell, or SCROLLTRACE_NO_ID */
  scrolltrace_name list;   /* the list; empty is unknown */
  scrolltrace_name kind;   /* the type of cell; empty is unknown */
  double estimated_size;   /* the size that the layout assumed; less than 0 is unknown */
  double size;             /* the actual size; less than 0 is unknown */
  int32_t reused;          /* from the reuse pool: 1 yes, 0 no, -1 unknown */
  int32_t ahead;           /* prepared before it is needed: 1 yes, 0 no, -1 unknown */
} scrolltrace_cell;

#define SCROLLTRACE_CELL_INIT                                                               \
  {sizeof(scrolltrace_cell), SCROLLTRACE_NO_ID, SCROLLTRACE_NO_ID, -1, SCROLLTRACE_NO_ID, \
   {NULL, 0}, {NULL, 0}, -1, -1, -1, -1}

/* Ends a step in preparing a cell, with the details known by then. cell may be NULL. */
void scrolltrace_span_end_cell(scrolltrace_span *span, const scrolltrace_cell *cell);

/* Records an event in a cell's life. */
void scrolltrace_cell_mark(scrolltrace_recorder *recorder, scrolltrace_name mark,
                           const scrolltrace_cell *cell);

/* Records a step in preparing a cell after the fact, like scrolltrace_span_record. */
void scrolltrace_cell_record(scrolltrace_recorder *recorder, scrolltrace_name step,
                             const scrolltrace_cell *cell, int64_t begin, int64_t end);

/* Work on an image: spans of SCROLLTRACE_CATEGORY_IMAGE. */
#define SCROLLTRACE_IMAGE_DECODE SCROLLTRACE_NAME("decode")
#define SCROLLTRACE_IMAGE_THUMBNAIL SCROLLTRACE_NAME("thumbnail")
#define SCROLLTRACE_IMAGE_DOWNLOAD SCROLLTRACE_NAME("download")

/* Events in an image's life. */
#define SCROLLTRACE_IMAGE_PLACEHOLDER SCROLLTRACE_NAME("placeholder")
#define SCROLLTRACE_IMAGE_FINAL SCROLLTRACE_NAME("final")
#define SCROLLTRACE_IMAGE_CACHE_HIT SCROLLTRACE_NAME("cacheHit")
#define SCROLLTRACE_IMAGE_CACHE_MISS SCROLLTRACE_NAME("cacheMiss")
#define SCROLLTRACE_IMAGE_EVICT SCROLLTRACE_NAME("evict")

/* Ends work on an image. view, bytes: the view that the image is for and its size, or
 * SCROLLTRACE_NO_ID. */
void scrolltrace_span_end_image(scrolltrace_span *span, uint64_t view, uint64_t bytes);

/* Records an event in an image's life. */
void scrolltrace_image_mark(scrolltrace_recorder *recorder, scrolltrace_name mark, uint64_t item,
                            uint64_t view, uint64_t bytes);

/* Work on a list's data: spans of SCROLLTRACE_CATEGORY_DATA. */
#define SCROLLTRACE_DATA_LOAD SCROLLTRACE_NAME("load")
#define SCROLLTRACE_DATA_APPLY_SNAPSHOT SCROLLTRACE_NAME("applySnapshot")

/* Events in the life of data. */
#define SCROLLTRACE_DATA_PREFETCH SCROLLTRACE_NAME("prefetch")
#define SCROLLTRACE_DATA_CANCEL_PREFETCH SCROLLTRACE_NAME("cancelPrefetch")
#define SCROLLTRACE_DATA_LATE_RESULT SCROLLTRACE_NAME("lateResult")

/* Ends work on data. list: the list that the data is for; empty if unknown. view: the view that
 * the data is for, or SCROLLTRACE_NO_ID. */
void scrolltrace_span_end_data(scrolltrace_span *span, scrolltrace_name list, uint64_t view);

/* Records an event in the life of data. */
void scrolltrace_data_mark(scrolltrace_recorder *recorder, scrolltrace_name mark,
                           scrolltrace_name list, uint64_t item, uint64_t view);

/* The changes of a snapshot. Initialize them with SCROLLTRACE_SNAPSHOT_INIT: everything unknown. */
typedef struct scrolltrace_snapshot {
  size_t struct_size;    /* sizeof(scrolltrace_snapshot) */
  scrolltrace_name list; /* the list; empty is unknown */
  scrolltrace_name kind; /* the way it was applied, such as "differences" or "reload" */
  int64_t inserted;      /* the number of items; less than 0 is unknown, also below */
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
