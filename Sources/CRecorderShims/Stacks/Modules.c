#define _GNU_SOURCE
#include "Modules.h"

#ifdef SCROLLTRACE_HAS_STACKS

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/uio.h>
#include <unistd.h>

#include "StackSampler.h"

#if !defined(DLFO_STRUCT_HAS_EH_DBASE)
// What glibc 2.35 and later declare.
struct dl_find_object {
  unsigned long long dlfo_flags;
  void *dlfo_map_start, *dlfo_map_end;
  struct link_map *dlfo_link_map;
  void *dlfo_eh_frame;
  unsigned long long reserved[7];
};
int _dl_find_object(void *address, struct dl_find_object *result);
#endif
/// Finds a module without a lock, also in a signal handler and after `dlclose`.
#pragma weak _dl_find_object

/// A module as a signal handler needs it where the loader has no such function.
typedef struct known_module {
  uint64_t start, end, header;
} known_module;

typedef struct known_modules {
  uint32_t count;
  known_module modules[];
} known_modules;

/// The current list. Old ones stay: a handler may be reading them.
static known_modules *current_modules;

/// Finds the start and end of the module that contains `pc`, and its call frame information.
static bool find_module(uint64_t pc, known_module *module) {
  if (_dl_find_object) {
    struct dl_find_object found;
    if (_dl_find_object((void *)(uintptr_t)pc, &found) != 0) return false;
    module->start = (uintptr_t)found.dlfo_map_start;
    module->end = (uintptr_t)found.dlfo_map_end;
    module->header = (uintptr_t)found.dlfo_eh_frame;
    return true;
  }
  const known_modules *list = __atomic_load_n(&current_modules, __ATOMIC_ACQUIRE);
  for (uint32_t index = 0; list && index < list->count; index++) {
    if (pc < list->modules[index].start || pc >= list->modules[index].end) continue;
    *module = list->modules[index];
    return true;
  }
  return false;
}

bool scrolltrace_read_memory(uint64_t address, void *bytes, uint64_t size, bool is_guarded) {
  if (!is_guarded) {
    memcpy(bytes, (const void *)(uintptr_t)address, size);
    return true;
  }
  const struct iovec to = {bytes, size}, from = {(void *)(uintptr_t)address, size};
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)size;
}

/// The program headers of a module, and what is added to their addresses.
typedef struct program_headers {
  uint64_t start, count, bias;
} program_headers;

/// Finds the headers by the module's first page, in which they lie.
static bool find_headers(const known_module *module, bool is_guarded, program_headers *headers) {
  ElfW(Ehdr) file;
  if (module->end - module->start < 4096
      || !scrolltrace_read_memory(module->start, &file, sizeof file, is_guarded)
      || memcmp(file.e_ident, ELFMAG, SELFMAG) != 0)
    return false;
  if (file.e_phentsize != sizeof(ElfW(Phdr)) || file.e_phoff > 4096
      || file.e_phnum > (4096 - file.e_phoff) / sizeof(ElfW(Phdr)))
    return false;
  *headers = (program_headers){module->start + file.e_phoff, file.e_phnum, 0};
  for (unsigned index = 0; index < file.e_phnum; index++) {
    ElfW(Phdr) segment;
    const uint64_t place = headers->start + index * sizeof segment;
    if (!scrolltrace_read_memory(place, &segment, sizeof segment, is_guarded)) return false;
    if (segment.p_type != PT_LOAD) continue;
    headers->bias = module->start - (segment.p_vaddr & ~(uint64_t)4095);
    return true;
  }
  return false;
}

/// Finds the headers of the program itself, which is never unloaded. Its segments can have gaps between
/// them, and then the loader says where the one of the code starts and ends, not the module.
static bool find_own_headers(program_headers *headers) {
  *headers = (program_headers){getauxval(AT_PHDR), getauxval(AT_PHNUM), 0};
  if (headers->start == 0 || getauxval(AT_PHENT) != sizeof(ElfW(Phdr))) return false;
  const ElfW(Phdr) *segments = (const void *)(uintptr_t)headers->start;
  for (uint64_t index = 0; index < headers->count; index++) {
    if (segments[index].p_type == PT_PHDR) headers->bias = headers->start - segments[index].p_vaddr;
  }
  return true;
}

/// Finds the segment that contains `address` and has `flags`.
static bool find_segment(
    const program_headers *headers, uint64_t address, uint32_t flags, bool is_guarded,
    uint64_t *start, uint64_t *end) {
  for (uint64_t index = 0; index < headers->count; index++) {
    ElfW(Phdr) segment;
    const uint64_t place = headers->start + index * sizeof segment;
    if (!scrolltrace_read_memory(place, &segment, sizeof segment, is_guarded)) return false;
    if (segment.p_type != PT_LOAD) continue;
    const uint64_t first = headers->bias + segment.p_vaddr;
    if (address < first || address - first >= segment.p_filesz) continue;
    *start = first;
    *end = first + segment.p_filesz;
    return (segment.p_flags & flags) == flags;
  }
  return false;
}

/// Finds the segment of a module that contains `address` and has `flags`.
static bool find_module_segment(
    const known_module *module, uint64_t address, uint32_t flags, bool is_guarded, uint64_t *start,
    uint64_t *end) {
  program_headers headers;
  if (find_headers(module, is_guarded, &headers)
      && find_segment(&headers, address, flags, is_guarded, start, end))
    return *end <= module->end && *start >= module->start;
  uint64_t own_start, own_end;
  return find_own_headers(&headers)
      && find_segment(&headers, module->start, 0, false, &own_start, &own_end)
      && find_segment(&headers, address, flags, false, start, end);
}

bool scrolltrace_find_frame_information(
    uint64_t pc, bool is_guarded, frame_information *information) {
  known_module module;
  if (!find_module(pc, &module) || module.header == 0) return false;
  information->header = module.header;
  information->is_guarded = is_guarded;
  return find_module_segment(
      &module, module.header, PF_R, is_guarded, &information->start, &information->end);
}

bool scrolltrace_read_code(uint64_t pc, void *bytes, uint64_t count) {
  known_module module;
  uint64_t start, end;
  return pc > count && find_module(pc - 1, &module)
      && find_module_segment(&module, pc - 1, PF_R | PF_X, true, &start, &end)
      && pc - start >= count
      && scrolltrace_read_memory(pc - count, bytes, count, true);
}

// ---- Lists ------------------------------------------------------------------------------------------

/// What identifies a module without a build ID: these bytes and a hash of its table of functions.
static const char frame_identity[8] = {'e', 'h', '_', 'f', 'r', 'a', 'm', 'e'};

/// The module's identity in its notes; whether they have one.
static bool find_build_id(
    const struct dl_phdr_info *info, const ElfW(Phdr) *notes, scrolltrace_module *module) {
  const uint8_t *at = (const uint8_t *)(uintptr_t)(info->dlpi_addr + notes->p_vaddr);
  uint64_t left = notes->p_filesz;
  while (left >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, at, sizeof note);
    const uint64_t name = ((uint64_t)note.n_namesz + 3) & ~(uint64_t)3;
    const uint64_t content = ((uint64_t)note.n_descsz + 3) & ~(uint64_t)3;
    const uint64_t size = sizeof note + name + content;
    if (size > left) return false;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && note.n_descsz > 0
        && note.n_descsz <= sizeof module->build_id && memcmp(at + sizeof note, "GNU", 4) == 0) {
      memcpy(module->build_id, at + sizeof note + name, note.n_descsz);
      module->build_id_length = note.n_descsz;
      return true;
    }
    at += size;
    left -= size;
  }
  return false;
}

/// The identity of a module without a build ID: FNV-1a of its table's words of eight bytes, the last one
/// filled up with zeros, from the table's size on.
static void identify_by_frames(
    const struct dl_phdr_info *info, const ElfW(Phdr) *frames, scrolltrace_module *module) {
  const uint8_t *bytes = (const uint8_t *)(uintptr_t)(info->dlpi_addr + frames->p_vaddr);
  uint64_t hash = 0xcbf29ce484222325 ^ frames->p_filesz;
  for (uint64_t offset = 0; offset < frames->p_filesz; offset += 8) {
    const uint64_t left = frames->p_filesz - offset;
    uint64_t word = 0;
    memcpy(&word, bytes + offset, left < 8 ? left : 8);
    hash = (hash ^ word) * 0x100000001b3;
  }
  memcpy(module->build_id, frame_identity, sizeof frame_identity);
  memcpy(module->build_id + sizeof frame_identity, &hash, sizeof hash);
  module->build_id_length = sizeof frame_identity + sizeof hash;
}

/// A list while the loader, which changes nothing meanwhile, goes through its modules.
typedef struct module_list {
  scrolltrace_module *modules;
  uint32_t count, capacity;
} module_list;

static int add_module(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  module_list *list = context;
  if (list->count == list->capacity) return 1;
  scrolltrace_module *module = &list->modules[list->count];
  *module = (scrolltrace_module){.start = UINT64_MAX, .bias = info->dlpi_addr};
  const ElfW(Phdr) *frames = NULL;
  bool is_identified = false;
  for (unsigned index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
    const uint64_t start = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD) {
      const uint64_t page = start & ~(uint64_t)4095;
      if (page < module->start) module->start = page;
      if (start + segment->p_memsz > module->end) module->end = start + segment->p_memsz;
    } else if (segment->p_type == PT_GNU_EH_FRAME) {
      frames = segment;
      module->frame_header = start;
    } else if (segment->p_type == PT_NOTE && !is_identified) {
      is_identified = find_build_id(info, segment, module);
    }
  }
  if (module->end == 0) return 0;
  if (!is_identified && frames) identify_by_frames(info, frames, module);
  if (info->dlpi_name) strncpy(module->path, info->dlpi_name, sizeof module->path - 1);
  list->count++;
  return 0;
}

/// What the loader says of how often its modules have changed.
typedef struct module_changes {
  uint64_t added, removed;
} module_changes;

static int read_changes(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  *(module_changes *)context = (module_changes){info->dlpi_adds, info->dlpi_subs};
  return 1;
}

const scrolltrace_module *scrolltrace_list_modules(scrolltrace_sampler *sampler, uint32_t *count) {
  module_cache *cache = scrolltrace_module_cache(sampler);
  module_changes now = {0, 0};
  dl_iterate_phdr(read_changes, &now);
  if (cache->count == 0 || now.added != cache->added || now.removed != cache->removed) {
    module_list list = {cache->modules, 0, MOST_MODULES};
    dl_iterate_phdr(add_module, &list);
    cache->count = list.count;
    cache->added = now.added;
    cache->removed = now.removed;
    // The loader gives the program itself no name.
    scrolltrace_module *program = &cache->modules[0];
    if (list.count > 0 && program->path[0] == 0) {
      const ssize_t length = readlink("/proc/self/exe", program->path, sizeof program->path - 1);
      program->path[length < 0 ? 0 : length] = 0;
    }
  }
  *count = cache->count;
  return cache->modules;
}

void scrolltrace_refresh_modules(scrolltrace_sampler *sampler) {
  if (_dl_find_object) return;
  uint32_t count;
  const scrolltrace_module *modules = scrolltrace_list_modules(sampler, &count);
  known_modules *last = __atomic_load_n(&current_modules, __ATOMIC_RELAXED);
  known_modules *list = malloc(sizeof *list + count * sizeof(known_module));
  if (!list) return;
  list->count = count;
  for (uint32_t index = 0; index < count; index++)
    list->modules[index] = (known_module){
      modules[index].start, modules[index].end, modules[index].frame_header};
  if (last && last->count == count
      && memcmp(last->modules, list->modules, count * sizeof(known_module)) == 0)
    free(list);
  else
    __atomic_store_n(&current_modules, list, __ATOMIC_RELEASE);
}

#endif
