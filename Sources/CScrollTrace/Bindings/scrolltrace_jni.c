/*
 * The functions of the object `Native` in ScrollTrace.kt.
 *
 *   cc -shared -fPIC -I "$JAVA_HOME/include" -I "$JAVA_HOME/include/linux" scrolltrace_jni.c \
 *     $(pkg-config --cflags --libs scrolltrace) -o libscrolltrace_jni.so
 *
 * Recorders, surfaces and names are addresses that are valid for the lifetime of the process, also after
 * the recording ends; 0 is none. Spans and frames that are open lie on a stack of their thread, so that
 * no call passes an object for them: the functions of events take and return only numbers.
 */

#include <jni.h>
#include <scrolltrace.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What Java passes to every function, and few need. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* ---- Values ---------------------------------------------------------------------------------- */

#define EXPORT(result) JNIEXPORT result JNICALL

static scrolltrace_recorder *recorder_of(jlong handle) {
  return (scrolltrace_recorder *)(uintptr_t)handle;
}

static scrolltrace_surface *surface_of(jlong handle) {
  return (scrolltrace_surface *)(uintptr_t)handle;
}

static scrolltrace_name name_of(jlong handle) {
  return handle == 0 ? SCROLLTRACE_NO_NAME : *(const scrolltrace_name *)(uintptr_t)handle;
}

/* Copies at most `capacity` bytes of a text, and returns their number. */
static size_t copy_text(JNIEnv *env, jbyteArray text, char *bytes, size_t capacity) {
  if (text == NULL) return 0;
  jsize length = (*env)->GetArrayLength(env, text);
  if ((size_t)length > capacity) length = (jsize)capacity;
  (*env)->GetByteArrayRegion(env, text, 0, length, (jbyte *)bytes);
  return (size_t)length;
}

/* ---- Errors and paths ------------------------------------------------------------------------ */

/* Stores an error in an array of its size, from which Kotlin reads it. */
static void store_error(JNIEnv *env, jbyteArray array, const scrolltrace_error *error) {
  if (array == NULL || (*env)->GetArrayLength(env, array) < (jsize)sizeof *error) return;
  (*env)->SetByteArrayRegion(env, array, 0, (jsize)sizeof *error, (const jbyte *)error);
}

/* The longest path of Linux, with its terminator. */
typedef struct path {
  char bytes[4096];
} path;

/* Copies a path. Returns NULL and stores an error if it is too long or contains a zero byte. */
static const char *copy_path(JNIEnv *env, jbyteArray text, path *copy, jbyteArray error) {
  const size_t length = copy_text(env, text, copy->bytes, sizeof copy->bytes);
  if (length < sizeof copy->bytes && memchr(copy->bytes, 0, length) == NULL) {
    copy->bytes[length] = 0;
    return copy->bytes;
  }
  scrolltrace_error details = {.code = SCROLLTRACE_ERROR_ARGUMENT};
  strcpy(details.message, "the path is too long or contains a zero byte; choose another");
  store_error(env, error, &details);
  return NULL;
}

/* ---- Open parts ------------------------------------------------------------------------------ */

enum { maximum_depth = 64, depth_bits = 8 };

/* A span or a frame that is open. */
typedef struct part {
  bool is_frame;
  union {
    scrolltrace_span span;
    scrolltrace_frame frame;
  } value;
} part;

/* The open parts of a thread, the outermost first. */
typedef struct stack {
  jlong thread; /* the number of the thread, 0 before its first part */
  jlong depth;
  part parts[maximum_depth];
} stack;

static _Thread_local stack opened;
static atomic_llong threads;

/* Returns a place for a new part, or NULL if too many are open. `token` is set to the thread's number
 * and the part's depth, or to 0. */
static part *push(bool is_frame, jlong *token) {
  *token = 0;
  if (opened.depth >= maximum_depth) return NULL;
  if (opened.thread == 0) opened.thread = (jlong)atomic_fetch_add(&threads, 1) + 1;
  part *new = &opened.parts[opened.depth++];
  new->is_frame = is_frame;
  *token = opened.thread << depth_bits | opened.depth;
  return new;
}

/* Returns the part of a token, or NULL if it has ended or belongs to another thread. */
static part *find(jlong token) {
  const jlong depth = token & ((1 << depth_bits) - 1);
  if (depth == 0 || depth > opened.depth || token >> depth_bits != opened.thread) return NULL;
  return &opened.parts[depth - 1];
}

static void end(part *ended) {
  if (ended->is_frame)
    scrolltrace_frame_end(&ended->value.frame);
  else
    scrolltrace_span_end(&ended->value.span);
}

/* Ends all parts inside the part of a token, and removes it from the stack to be ended by the caller. */
static part *pop(jlong token) {
  part *outer = find(token);
  if (outer == NULL) return NULL;
  while (&opened.parts[opened.depth - 1] != outer) end(&opened.parts[--opened.depth]);
  opened.depth--;
  return outer;
}

/* Returns the innermost open frame of the thread, or NULL. */
static const scrolltrace_frame *open_frame(void) {
  for (jlong depth = opened.depth; depth > 0; depth--)
    if (opened.parts[depth - 1].is_frame) return &opened.parts[depth - 1].value.frame;
  return NULL;
}

/* ---- Recordings ------------------------------------------------------------------------------ */

EXPORT(jlong) Java_scrolltrace_Native_open(
    JNIEnv *env, jclass type, jbyteArray file, jint clock, jboolean replaces, jboolean mapped,
    jlong maximum_bytes, jlong ring_bytes, jbyteArray dumps, jlong hitch_limit, jlong stack_sampling,
    jbyteArray error) {
  path file_copy, dumps_copy;
  scrolltrace_options options = SCROLLTRACE_OPTIONS_INIT;
  options.clock = clock;
  options.replaces_existing_file = replaces;
  options.file_access = mapped ? SCROLLTRACE_FILE_MAPPED : SCROLLTRACE_FILE_WRITTEN;
  options.maximum_bytes = (uint64_t)maximum_bytes;
  options.ring_bytes = (uint64_t)ring_bytes;
  options.hitch_dump_limit = hitch_limit;
  options.stack_sampling_ns = stack_sampling;
  const char *name = copy_path(env, file, &file_copy, error);
  if (name == NULL) return 0;
  if (dumps != NULL) {
    options.hitch_dump_path = copy_path(env, dumps, &dumps_copy, error);
    if (options.hitch_dump_path == NULL) return 0;
  }
  scrolltrace_recorder *recorder = NULL;
  scrolltrace_error details;
  if (scrolltrace_open(name, &options, &recorder, &details) != SCROLLTRACE_OK)
    store_error(env, error, &details);
  return (jlong)(uintptr_t)recorder;
}

EXPORT(jint) Java_scrolltrace_Native_finish(JNIEnv *env, jclass type, jlong recorder,
                                            jbyteArray error) {
  scrolltrace_error details;
  const scrolltrace_result result = scrolltrace_finish(recorder_of(recorder), &details);
  if (result != SCROLLTRACE_OK) store_error(env, error, &details);
  return (jint)result;
}

EXPORT(jint) Java_scrolltrace_Native_dump(JNIEnv *env, jclass type, jlong recorder,
                                          jbyteArray file, jbyteArray error) {
  path copy;
  const char *name = copy_path(env, file, &copy, error);
  if (name == NULL) return SCROLLTRACE_ERROR_ARGUMENT;
  scrolltrace_error details;
  const scrolltrace_result result = scrolltrace_dump(recorder_of(recorder), name, &details);
  if (result != SCROLLTRACE_OK) store_error(env, error, &details);
  return (jint)result;
}

EXPORT(void) Java_scrolltrace_Native_setEnabled(JNIEnv *env, jclass type, jlong recorder,
                                                jboolean enabled) {
  scrolltrace_set_enabled(recorder_of(recorder), enabled);
}

EXPORT(jboolean) Java_scrolltrace_Native_isEnabled(JNIEnv *env, jclass type, jlong recorder) {
  return scrolltrace_is_enabled(recorder_of(recorder));
}

EXPORT(jlong) Java_scrolltrace_Native_now(JNIEnv *env, jclass type, jlong recorder) {
  return scrolltrace_now(recorder_of(recorder));
}

/* Stores the losses in an array of four: no chunk, too big, after the end, inside. */
EXPORT(void) Java_scrolltrace_Native_losses(JNIEnv *env, jclass type, jlong recorder,
                                            jlongArray counts) {
  scrolltrace_losses losses = {.struct_size = sizeof losses};
  scrolltrace_get_losses(recorder_of(recorder), &losses);
  const jlong values[] = {(jlong)losses.no_chunk, (jlong)losses.too_big, (jlong)losses.after_close,
                          (jlong)losses.inside};
  if (counts != NULL && (*env)->GetArrayLength(env, counts) == 4)
    (*env)->SetLongArrayRegion(env, counts, 0, 4, values);
}

/* Returns a name that is kept for the lifetime of the process, or 0 without memory. */
EXPORT(jlong) Java_scrolltrace_Native_registerName(JNIEnv *env, jclass type, jlong recorder,
                                                   jbyteArray text) {
  char bytes[4001]; /* one more than a name may have, so that a longer one is counted as too big */
  const size_t length = copy_text(env, text, bytes, sizeof bytes);
  scrolltrace_name *name = malloc(sizeof *name);
  if (name != NULL) *name = scrolltrace_register_name(recorder_of(recorder), bytes, length);
  return (jlong)(uintptr_t)name;
}

EXPORT(jlong) Java_scrolltrace_Native_surface(JNIEnv *env, jclass type, jlong recorder, jlong name,
                                              jlong tolerance) {
  return (jlong)(uintptr_t)scrolltrace_get_surface(recorder_of(recorder), name_of(name), tolerance);
}

EXPORT(void) Java_scrolltrace_Native_nameThread(JNIEnv *env, jclass type, jlong recorder,
                                                jlong name) {
  scrolltrace_set_thread_name(recorder_of(recorder), name_of(name));
}

/* ---- Frames and spans ------------------------------------------------------------------------ */

EXPORT(jlong) Java_scrolltrace_Native_frameBegin(
    JNIEnv *env, jclass type, jlong recorder, jlong surface, jlong id, jlong begin, jlong deadline,
    jlong target, jlong interval) {
  const scrolltrace_tick tick = {begin, deadline, target, interval};
  jlong token;
  part *new = push(true, &token);
  if (new != NULL)
    new->value.frame = scrolltrace_frame_begin(recorder_of(recorder), surface_of(surface),
                                               (uint64_t)id, &tick);
  return token;
}

EXPORT(jlong) Java_scrolltrace_Native_frameNumber(JNIEnv *env, jclass type, jlong token) {
  const part *frame = find(token);
  const bool is_frame = frame != NULL && frame->is_frame;
  return (jlong)(is_frame ? frame->value.frame.id : SCROLLTRACE_NO_ID);
}

EXPORT(jlong) Java_scrolltrace_Native_phaseBegin(JNIEnv *env, jclass type, jlong name) {
  jlong token;
  const scrolltrace_frame *frame = open_frame();
  part *new = push(false, &token);
  if (new != NULL) new->value.span = scrolltrace_phase_begin(frame, name_of(name));
  return token;
}

EXPORT(jlong) Java_scrolltrace_Native_spanBegin(JNIEnv *env, jclass type, jlong recorder,
                                                jlong name, jlong category, jlong item) {
  jlong token;
  part *new = push(false, &token);
  if (new != NULL)
    new->value.span = scrolltrace_span_begin(recorder_of(recorder), name_of(name),
                                             name_of(category), (uint64_t)item);
  return token;
}

EXPORT(void) Java_scrolltrace_Native_end(JNIEnv *env, jclass type, jlong token) {
  part *ended = pop(token);
  if (ended != NULL) end(ended);
}

static scrolltrace_cell cell_of(jlong item, jlong view, jlong position, jlong list, jlong kind) {
  scrolltrace_cell cell = SCROLLTRACE_CELL_INIT;
  cell.item = (uint64_t)item;
  cell.view = (uint64_t)view;
  cell.position = position;
  cell.list = name_of(list);
  cell.kind = name_of(kind);
  return cell;
}

EXPORT(void) Java_scrolltrace_Native_cellEnd(
    JNIEnv *env, jclass type, jlong token, jlong item, jlong view, jlong position, jlong list,
    jlong kind, jint reused, jint ahead) {
  scrolltrace_cell cell = cell_of(item, view, position, list, kind);
  cell.reused = reused;
  cell.ahead = ahead;
  part *ended = pop(token);
  if (ended != NULL && !ended->is_frame) scrolltrace_span_end_cell(&ended->value.span, &cell);
}

EXPORT(void) Java_scrolltrace_Native_presented(JNIEnv *env, jclass type, jlong recorder,
                                               jlong surface, jlong id, jlong time) {
  scrolltrace_presented(recorder_of(recorder), surface_of(surface), (uint64_t)id, time);
}

EXPORT(void) Java_scrolltrace_Native_frameRecord(
    JNIEnv *env, jclass type, jlong recorder, jlong surface, jlong id, jlong begin, jlong deadline,
    jlong target, jlong interval, jlong commit_start, jlong commit_end, jlong presented) {
  const scrolltrace_tick tick = {begin, deadline, target, interval};
  scrolltrace_frame_record(recorder_of(recorder), surface_of(surface), (uint64_t)id, &tick,
                           commit_start, commit_end, presented);
}

EXPORT(void) Java_scrolltrace_Native_spanRecord(JNIEnv *env, jclass type, jlong recorder,
                                                jlong name, jlong category, jlong item,
                                                jlong begin, jlong finish) {
  scrolltrace_span_record(recorder_of(recorder), name_of(name), name_of(category), (uint64_t)item,
                          begin, finish);
}

EXPORT(void) Java_scrolltrace_Native_operationRecord(JNIEnv *env, jclass type, jlong recorder,
                                                     jlong name, jlong category, jlong item,
                                                     jlong begin, jlong finish) {
  scrolltrace_operation_record(recorder_of(recorder), name_of(name), name_of(category),
                               (uint64_t)item, begin, finish);
}

/* ---- Marks, numbers, states, interactions ---------------------------------------------------- */

EXPORT(void) Java_scrolltrace_Native_mark(JNIEnv *env, jclass type, jlong recorder, jlong name,
                                          jlong category, jlong item) {
  scrolltrace_mark(recorder_of(recorder), name_of(name), name_of(category), (uint64_t)item);
}

EXPORT(void) Java_scrolltrace_Native_cellMark(JNIEnv *env, jclass type, jlong recorder, jlong name,
                                              jlong item, jlong view, jlong position, jlong list,
                                              jlong kind) {
  const scrolltrace_cell cell = cell_of(item, view, position, list, kind);
  scrolltrace_cell_mark(recorder_of(recorder), name_of(name), &cell);
}

EXPORT(void) Java_scrolltrace_Native_imageMark(JNIEnv *env, jclass type, jlong recorder, jlong name,
                                               jlong item, jlong view, jlong bytes) {
  scrolltrace_image_mark(recorder_of(recorder), name_of(name), (uint64_t)item, (uint64_t)view,
                         (uint64_t)bytes);
}

EXPORT(void) Java_scrolltrace_Native_counter(JNIEnv *env, jclass type, jlong recorder, jlong name,
                                             jlong value) {
  scrolltrace_counter(recorder_of(recorder), name_of(name), value);
}

EXPORT(void) Java_scrolltrace_Native_counterReal(JNIEnv *env, jclass type, jlong recorder,
                                                 jlong name, jdouble value) {
  scrolltrace_counter_real(recorder_of(recorder), name_of(name), value);
}

EXPORT(void) Java_scrolltrace_Native_stateSet(JNIEnv *env, jclass type, jlong recorder, jlong key,
                                              jlong value) {
  scrolltrace_state_set(recorder_of(recorder), name_of(key), name_of(value));
}

EXPORT(void) Java_scrolltrace_Native_stateClear(JNIEnv *env, jclass type, jlong recorder,
                                                jlong key) {
  scrolltrace_state_clear(recorder_of(recorder), name_of(key));
}

/* An interaction lies in an array of four, because it may end on another thread. */
EXPORT(void) Java_scrolltrace_Native_interactionBegin(JNIEnv *env, jclass type, jlong recorder,
                                                      jlong kind, jlong surface,
                                                      jlongArray words) {
  if (words == NULL || (*env)->GetArrayLength(env, words) != 4) return;
  const scrolltrace_interaction new = scrolltrace_interaction_begin(
      recorder_of(recorder), name_of(kind), surface_of(surface));
  (*env)->SetLongArrayRegion(env, words, 0, 4, (const jlong *)new.words);
}

EXPORT(void) Java_scrolltrace_Native_interactionEnd(JNIEnv *env, jclass type, jlongArray words) {
  if (words == NULL || (*env)->GetArrayLength(env, words) != 4) return;
  scrolltrace_interaction ended;
  (*env)->GetLongArrayRegion(env, words, 0, 4, (jlong *)ended.words);
  scrolltrace_interaction_end(&ended);
  (*env)->SetLongArrayRegion(env, words, 0, 4, (const jlong *)ended.words);
}
