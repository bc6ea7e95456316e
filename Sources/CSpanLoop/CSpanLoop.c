#include "CSpanLoop.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "scrolltrace.h"

static struct {
  scrolltrace_result (*open)(const char *, const scrolltrace_options *, scrolltrace_recorder **,
                             scrolltrace_error *);
  scrolltrace_result (*finish)(scrolltrace_recorder *, scrolltrace_error *);
  void (*get_losses)(const scrolltrace_recorder *, scrolltrace_losses *);
  scrolltrace_span (*span_begin)(scrolltrace_recorder *, scrolltrace_name, scrolltrace_name,
                                 uint64_t);
  void (*span_end)(scrolltrace_span *);
} calls;

static scrolltrace_recorder *recorder;

/// Stores the address of a function of the library.
static bool find(void *library, const char *name, void *function) {
  void *address = dlsym(library, name);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

bool scrolltrace_loop_open(const char *path, const char *trace, uint64_t prepared_bytes) {
  if (calls.open == NULL) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL || !find(library, "scrolltrace_finish", &calls.finish)
        || !find(library, "scrolltrace_get_losses", &calls.get_losses)
        || !find(library, "scrolltrace_span_begin", &calls.span_begin)
        || !find(library, "scrolltrace_span_end", &calls.span_end)
        || !find(library, "scrolltrace_open", &calls.open))
      return false;
  }
  scrolltrace_options options = SCROLLTRACE_OPTIONS_INIT;
  options.prepared_bytes = prepared_bytes;
  options.replaces_existing_file = true;
  options.leaves_chunks_unsealed = true;
  return calls.open(trace, &options, &recorder, NULL) == SCROLLTRACE_OK;
}

void scrolltrace_loop_run(uint64_t count, bool items) {
  for (uint64_t index = 0; index < count; index++) {
    scrolltrace_span span
        = calls.span_begin(recorder, SCROLLTRACE_NAME("step"), SCROLLTRACE_CATEGORY_WORK,
                           items ? index : SCROLLTRACE_NO_ID);
    calls.span_end(&span);
  }
}

uint64_t scrolltrace_loop_close(void) {
  scrolltrace_losses losses;
  losses.struct_size = sizeof losses;
  calls.get_losses(recorder, &losses);
  calls.finish(recorder, NULL);
  return losses.no_chunk + losses.too_big + losses.after_close;
}
