/* A chain of functions that the compiler frames as it does async functions of Swift: the saved frame pointers
   have bit 60 set. The walk has to find them all. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "FramePointers.h"

#define ASYNC __attribute__((swiftasynccall, noinline))
#define CONTEXT __attribute__((swift_async_context))

static const char *const chain[] = {"look", "fifth", "fourth", "third", "second", "first", "main"};
static int marks, failures;

__attribute__((noinline)) void look(void) {
  scrolltrace_registers registers = {.lr = 0};
  __asm__ volatile("adr %0, .\n\tmov %1, sp\n\tmov %2, x29"
                   : "=r"(registers.pc), "=r"(registers.sp), "=r"(registers.fp));
  const uint64_t *frame = (const uint64_t *)(uintptr_t)registers.fp;
  for (int depth = 0; depth < 5; depth++) {
    marks += frame[0] >> 60 & 1;
    frame = (const uint64_t *)(uintptr_t)(frame[0] & ~(UINT64_C(1) << 60));
  }
  uint64_t addresses[32];
  uint32_t count;
  scrolltrace_walk_frame_pointers(registers, registers.sp + 65536, addresses, 32, &count);
  for (uint32_t index = 0; index < sizeof chain / sizeof *chain; index++) {
    Dl_info info = {0};
    const char *name = index < count && dladdr((void *)(uintptr_t)addresses[index], &info) && info.dli_sname
        ? info.dli_sname : "nothing";
    printf("%s\n", name);
    failures += strcmp(name, chain[index]) != 0;
  }
}

ASYNC void fifth(CONTEXT char *context) { look(); __asm__ volatile("" : : "r"(context)); }
ASYNC void fourth(CONTEXT char *context) { fifth(context); __asm__ volatile("" : : "r"(context)); }
ASYNC void third(CONTEXT char *context) { fourth(context); __asm__ volatile("" : : "r"(context)); }
ASYNC void second(CONTEXT char *context) { third(context); __asm__ volatile("" : : "r"(context)); }
ASYNC void first(CONTEXT char *context) { second(context); __asm__ volatile("" : : "r"(context)); }

int main(void) {
  char context[64];
  first(context);
  if (marks < 4) printf("only %d frames have the mark\n", marks);
  return failures > 0 || marks < 4;
}
