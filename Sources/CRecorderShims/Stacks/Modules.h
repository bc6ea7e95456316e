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
  /// Whether the module may be unloaded meanwhile, so that its bytes may be gone.
  bool is_guarded;
} frame_information;

/// Copies `size` bytes of the process; whether they are there. Without a guard they must be.
bool scrolltrace_read_memory(uint64_t address, void *bytes, uint64_t size, bool is_guarded);

/// Finds the call frame information of the module that contains `pc`; whether there is any.
bool scrolltrace_find_frame_information(
    uint64_t pc, bool is_guarded, frame_information *information);

/// Copies the `count` bytes of code before `pc`; whether there is code of a module, which may be unloaded
/// meanwhile.
bool scrolltrace_read_code(uint64_t pc, void *bytes, uint64_t count);

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
