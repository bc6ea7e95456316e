#define _GNU_SOURCE
#include "CTestSupport.h"

#include <dlfcn.h>
#include <stddef.h>

typedef int (*install_function)(void (*)(const volatile void *, size_t),
                                void (*)(const volatile void *));

static _Thread_local bool counts;
static _Thread_local long count;

static void allocated(const volatile void *memory, size_t size) {
  (void)memory;
  (void)size;
  if (counts) count++;
}

static void freed(const volatile void *memory) { (void)memory; }

bool scrolltrace_can_count_allocations(void) {
  return dlsym(RTLD_DEFAULT, "__sanitizer_install_malloc_and_free_hooks") != NULL;
}

void scrolltrace_begin_counting_allocations(void) {
  static bool is_installed;
  if (!is_installed) {
    install_function install =
        (install_function)dlsym(RTLD_DEFAULT, "__sanitizer_install_malloc_and_free_hooks");
    is_installed = install != NULL && install(allocated, freed) != 0;
  }
  count = is_installed ? 0 : -1;
  counts = is_installed;
}

long scrolltrace_end_counting_allocations(void) {
  counts = false;
  return count;
}
