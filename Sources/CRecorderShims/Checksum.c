#include "Checksum.h"

#include <string.h>

#if defined(__x86_64__)
#define USES_INSTRUCTION __attribute__((target("sse4.2")))
#define ADD(state, word) __builtin_ia32_crc32di(state, word)
typedef uint64_t checksum;

bool scrolltrace_has_crc32c(void) { return __builtin_cpu_supports("sse4.2"); }

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#define USES_INSTRUCTION
#define ADD(state, word) __builtin_arm_crc32cd(state, word)
typedef uint32_t checksum;

bool scrolltrace_has_crc32c(void) { return true; }

#endif

#ifdef USES_INSTRUCTION

USES_INSTRUCTION
uint32_t scrolltrace_crc32c(uint32_t state, const void *bytes, size_t count) {
  const unsigned char *next = bytes;
  checksum crc = state;
  for (size_t i = 0; i < count; i++, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    crc = ADD(crc, word);
  }
  return (uint32_t)crc;
}

USES_INSTRUCTION
void scrolltrace_crc32c_three(uint32_t states[3], const void *bytes, size_t count) {
  const unsigned char *first = bytes;
  const unsigned char *second = first + count * 8;
  const unsigned char *third = second + count * 8;
  checksum a = states[0], b = states[1], c = states[2];
  for (size_t i = 0; i < count; i++) {
    uint64_t x, y, z;
    memcpy(&x, first + i * 8, 8);
    memcpy(&y, second + i * 8, 8);
    memcpy(&z, third + i * 8, 8);
    a = ADD(a, x);
    b = ADD(b, y);
    c = ADD(c, z);
  }
  states[0] = (uint32_t)a;
  states[1] = (uint32_t)b;
  states[2] = (uint32_t)c;
}

#else

bool scrolltrace_has_crc32c(void) { return false; }

uint32_t scrolltrace_crc32c(uint32_t state, const void *bytes, size_t count) {
  (void)bytes;
  (void)count;
  return state;
}

void scrolltrace_crc32c_three(uint32_t states[3], const void *bytes, size_t count) {
  (void)states;
  (void)bytes;
  (void)count;
}

#endif
