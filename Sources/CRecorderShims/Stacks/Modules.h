// The modules of the process: its program and libraries.

#ifndef SCROLLTRACE_MODULES_H
#define SCROLLTRACE_MODULES_H

#include "StackSampler.h"
#include "Unwind.h"

#ifdef SCROLLTRACE_HAS_STACKS

/// The call frame information of a module, and the mapped bytes around it that may be read.
typedef struct frame_information {
  /// The address of the module's `.eh_frame_hdr`.
  uint64_t header;
  /// The segment that contains it.
  uint64_t start, end;
} frame_information;

/// Finds the call frame information of the module that contains `pc`; whether there is any.
bool scrolltrace_find_frame_information(uint64_t pc, frame_information *information);

/// Whether the `count` bytes before `pc` are readable code of a module.
bool scrolltrace_is_code(uint64_t pc, uint64_t count);

/// The largest number of modules in a list.
enum { MOST_MODULES = 512 };

/// The list of modules that a sampler has made, and the loader's counts of changes at that time.
typedef struct module_cache {
  uint64_t added, removed;
  uint32_t count;
  scrolltrace_module modules[MOST_MODULES];
} module_cache;

/// The sampler's list, for its helper thread alone.
module_cache *scrolltrace_module_cache(scrolltrace_sampler *sampler);

#endif
#endif
