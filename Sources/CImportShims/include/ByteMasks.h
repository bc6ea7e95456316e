// The instructions that compare many bytes at once, which Swift cannot say.

#ifndef SCROLLTRACE_BYTE_MASKS_H
#define SCROLLTRACE_BYTE_MASKS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

/// Where the tokens of JSON are, and what in its strings needs a closer look.
typedef struct {
  /// The first unused place of each array.
  uint32_t *tokens, *specials;
} scrolltrace_json_tokens;

/// Finds the tokens in the bytes at `base` from `start` up to `end`, 64 bytes at a time; the last
/// block may go on behind `end` and must be readable.
///
/// A token is a bracket, a comma, the opening quote of a string, or the first byte of a number or
/// literal; a colon only where no closing quote is right before it. Special are backslashes,
/// control characters and what is not ASCII, in strings.
///
/// The places are added to `into`; sixteen more than are needed must be writable.
scrolltrace_json_tokens scrolltrace_find_json_tokens(
    const void *base, uint32_t start, uint32_t end, scrolltrace_json_tokens into);

/// The same with nothing but the instructions that every machine of its kind has.
scrolltrace_json_tokens scrolltrace_find_json_tokens_plainly(
    const void *base, uint32_t start, uint32_t end, scrolltrace_json_tokens into);

/// Which of the 64 bytes at `bytes` are `sign`: one bit each, the first byte's the lowest.
static inline uint64_t scrolltrace_mask_of(const void *bytes, uint8_t sign) {
  const uint8_t *at = (const uint8_t *)bytes;
#if defined(__SSE2__)
  __m128i signs = _mm_set1_epi8((char)sign);
  uint64_t mask = 0;
  for (int part = 0; part < 4; part++) {
    __m128i block = _mm_loadu_si128((const __m128i *)(const void *)(at + part * 16));
    uint32_t found = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block, signs));
    mask |= (uint64_t)found << (part * 16);
  }
  return mask;
#elif defined(__ARM_NEON) && defined(__aarch64__)
  static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t weight = vld1q_u8(weights), signs = vdupq_n_u8(sign);
  uint8x16_t first = vandq_u8(vceqq_u8(vld1q_u8(at), signs), weight);
  uint8x16_t second = vandq_u8(vceqq_u8(vld1q_u8(at + 16), signs), weight);
  uint8x16_t third = vandq_u8(vceqq_u8(vld1q_u8(at + 32), signs), weight);
  uint8x16_t fourth = vandq_u8(vceqq_u8(vld1q_u8(at + 48), signs), weight);
  uint8x16_t sum = vpaddq_u8(vpaddq_u8(first, second), vpaddq_u8(third, fourth));
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sum, sum)), 0);
#else
  uint64_t mask = 0;
  for (int index = 0; index < 64; index++) mask |= (uint64_t)(at[index] == sign) << index;
  return mask;
#endif
}

#endif
