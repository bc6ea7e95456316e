#include "CChecksum.h"

#include <string.h>

#if defined(__x86_64__)

bool scrolltrace_has_crc32c(void) { return __builtin_cpu_supports("sse4.2"); }

__attribute__((target("sse4.2")))
uint32_t scrolltrace_crc32c(uint32_t state, const void *bytes, size_t count) {
  const unsigned char *next = bytes;
  uint64_t crc = state;
  for (size_t i = 0; i < count; i++, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    crc = __builtin_ia32_crc32di(crc, word);
  }
  return (uint32_t)crc;
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)

bool scrolltrace_has_crc32c(void) { return true; }

uint32_t scrolltrace_crc32c(uint32_t state, const void *bytes, size_t count) {
  const unsigned char *next = bytes;
  for (size_t i = 0; i < count; i++, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    state = __builtin_arm_crc32cd(state, word);
  }
  return state;
}

#else

bool scrolltrace_has_crc32c(void) { return false; }

uint32_t scrolltrace_crc32c(uint32_t state, const void *bytes, size_t count) {
  (void)bytes;
  (void)count;
  return state;
}

#endif
