#include "ByteMasks.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// Everything that is done for each block is compiled once for each set of instructions.
#define INLINE static inline __attribute__((always_inline))

// What the 64 bytes of a block are, the first byte in the lowest bit.
typedef struct {
  // `"`, and `\`
  uint64_t quotes, backslashes;
  // `{`, `}`, `[`, `]` and `,`; and `:`
  uint64_t operators, colons;
  // The white space of JSON.
  uint64_t spaces;
  // What needs a closer look in a string: `\`, control characters and what is not ASCII.
  uint64_t specials;
} block_masks;

// What one block has to know of the one before it; all but `inside` in the lowest bit.
typedef struct {
  // All ones where the block before ends inside a string.
  uint64_t inside;
  // Whether it ends inside a number or literal, with a closing quote, or with a byte that escapes.
  uint64_t scalar, closed, escaping;
} block_state;

// The bytes before which the number of backslashes in a row is odd.
INLINE uint64_t find_escaped(uint64_t backslashes, block_state *state) {
  const uint64_t even = 0x5555555555555555;
  uint64_t escaping = backslashes & ~state->escaping;
  uint64_t following = escaping << 1 | state->escaping;
  // A run that starts at an odd place carries over to the place behind it.
  uint64_t sum;
  state->escaping = __builtin_add_overflow(escaping & ~even & ~following, escaping, &sum);
  return (even ^ (sum << 1)) & following;
}

// From each bit that is set up to and without the next one that is set.
INLINE uint64_t fill_between(uint64_t bits) {
  for (int distance = 1; distance < 64; distance *= 2) bits ^= bits << distance;
  return bits;
}

INLINE uint32_t *append_places(uint64_t bits, uint32_t block, uint32_t *next) {
  uint32_t *end = next + __builtin_popcountll(bits);
  // Places past the last one are written too, and overwritten by the next block: that costs less
  // than a loop whose end nobody can foresee.
  do {
#pragma clang loop unroll(full)
    for (int index = 0; index < 16; index++) {
      next[index] = block + (uint32_t)(bits ? __builtin_ctzll(bits) : 64);
      bits &= bits - 1;
    }
    next += 16;
  } while (next < end);
  return end;
}

INLINE void find_in_block(
    const block_masks *masks, uint32_t block, block_state *state, scrolltrace_json_tokens *into) {
  uint64_t quotes = masks->quotes;
  if (masks->backslashes | state->escaping) quotes &= ~find_escaped(masks->backslashes, state);
  uint64_t inside = fill_between(quotes) ^ state->inside;
  state->inside = (uint64_t)((int64_t)inside >> 63);
  uint64_t closing = quotes & ~inside;
  uint64_t colons = masks->colons & ~(closing << 1 | state->closed);
  state->closed = closing >> 63;
  // One of the control characters folds to a comma.
  uint64_t operators = masks->operators & ~masks->specials;
  uint64_t scalars = ~(masks->colons | operators | masks->spaces | quotes | inside);
  uint64_t starts = scalars & ~(scalars << 1 | state->scalar);
  state->scalar = scalars >> 63;
  uint64_t tokens = ((operators | colons) & ~inside) | (quotes & inside) | starts;
  into->tokens = append_places(tokens, block, into->tokens);
  uint64_t specials = masks->specials & inside;
  if (specials) into->specials = append_places(specials, block, into->specials);
}

#if defined(__x86_64__)

static inline block_masks classify(const uint8_t *bytes) {
  block_masks masks = {0, 0, 0, 0, 0, 0};
  for (int part = 0; part < 4; part++) {
    __m128i v = _mm_loadu_si128((const __m128i *)bytes + part);
    // The case bit makes `{` of `[` and `}` of `]`.
    __m128i folded = _mm_or_si128(v, _mm_set1_epi8(0x20));
    __m128i operators = _mm_or_si128(
        _mm_or_si128(
            _mm_cmpeq_epi8(folded, _mm_set1_epi8('{')), _mm_cmpeq_epi8(folded, _mm_set1_epi8('}'))),
        _mm_cmpeq_epi8(v, _mm_set1_epi8(',')));
    __m128i spaces = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\n'))),
        _mm_or_si128(
            _mm_cmpeq_epi8(v, _mm_set1_epi8('\r')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\t'))));
    __m128i backslashes = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
    // As signed numbers, what is not ASCII is below the control characters.
    __m128i specials = _mm_or_si128(_mm_cmplt_epi8(v, _mm_set1_epi8(0x20)), backslashes);
#define BITS(vector) ((uint64_t)(uint32_t)_mm_movemask_epi8(vector) << (16 * part))
    masks.quotes |= BITS(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
    masks.backslashes |= BITS(backslashes);
    masks.operators |= BITS(operators);
    masks.colons |= BITS(_mm_cmpeq_epi8(v, _mm_set1_epi8(':')));
    masks.spaces |= BITS(spaces);
    masks.specials |= BITS(specials);
#undef BITS
  }
  return masks;
}

#define WIDE __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))

WIDE static inline block_masks classify_wide(const uint8_t *bytes) {
  block_masks masks = {0, 0, 0, 0, 0, 0};
  // For each value of a byte's lower half the one white space, or folded bracket, that has it; or
  // another number with another lower half.
  const __m256i all_spaces = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(' ', 2, 1, 1, 1, 1, 1, 1, 1, '\t', '\n', 1, 1, '\r', 1, 1));
  const __m256i all_operators = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, '{', ',', '}', 1, 1));
  for (int part = 0; part < 2; part++) {
    __m256i v = _mm256_loadu_si256((const __m256i *)bytes + part);
    __m256i folded = _mm256_or_si256(v, _mm256_set1_epi8(0x20));
    __m256i operators = _mm256_cmpeq_epi8(folded, _mm256_shuffle_epi8(all_operators, v));
    __m256i spaces = _mm256_cmpeq_epi8(v, _mm256_shuffle_epi8(all_spaces, v));
    __m256i backslashes = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\'));
    __m256i specials = _mm256_or_si256(
        _mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), v), backslashes);
#define BITS(vector) ((uint64_t)(uint32_t)_mm256_movemask_epi8(vector) << (32 * part))
    masks.quotes |= BITS(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('"')));
    masks.backslashes |= BITS(backslashes);
    masks.operators |= BITS(operators);
    masks.colons |= BITS(_mm256_cmpeq_epi8(v, _mm256_set1_epi8(':')));
    masks.spaces |= BITS(spaces);
    masks.specials |= BITS(specials);
#undef BITS
  }
  return masks;
}

WIDE static scrolltrace_json_tokens find_wide(
    const uint8_t *base, uint32_t start, uint32_t end, scrolltrace_json_tokens into) {
  block_state state = {0, 0, 0, 0};
  for (uint32_t block = start; block < end; block += 64) {
    block_masks masks = classify_wide(base + block);
    find_in_block(&masks, block, &state, &into);
  }
  return into;
}

#elif defined(__aarch64__)

static inline block_masks classify(const uint8_t *bytes) {
  const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t quotes[4], backslashes[4], operators[4], colons[4], spaces[4], specials[4];
  for (int part = 0; part < 4; part++) {
    uint8x16_t v = vld1q_u8(bytes + 16 * part);
    uint8x16_t folded = vorrq_u8(v, vdupq_n_u8(0x20));
#define BITS(test) vandq_u8(test, weights)
    quotes[part] = BITS(vceqq_u8(v, vdupq_n_u8('"')));
    backslashes[part] = BITS(vceqq_u8(v, vdupq_n_u8('\\')));
    colons[part] = BITS(vceqq_u8(v, vdupq_n_u8(':')));
    operators[part] = BITS(vorrq_u8(
        vorrq_u8(vceqq_u8(folded, vdupq_n_u8('{')), vceqq_u8(folded, vdupq_n_u8('}'))),
        vceqq_u8(v, vdupq_n_u8(','))));
    spaces[part] = BITS(vorrq_u8(
        vorrq_u8(vceqq_u8(v, vdupq_n_u8(' ')), vceqq_u8(v, vdupq_n_u8('\n'))),
        vorrq_u8(vceqq_u8(v, vdupq_n_u8('\r')), vceqq_u8(v, vdupq_n_u8('\t')))));
    specials[part] = BITS(vorrq_u8(
        vcltq_s8(vreinterpretq_s8_u8(v), vdupq_n_s8(0x20)), vceqq_u8(v, vdupq_n_u8('\\'))));
#undef BITS
  }
#define JOINED(parts)                                                                             \
  vgetq_lane_u64(                                                                                 \
      vreinterpretq_u64_u8(vpaddq_u8(                                                             \
          vpaddq_u8(vpaddq_u8(parts[0], parts[1]), vpaddq_u8(parts[2], parts[3])),                \
          vdupq_n_u8(0))),                                                                        \
      0)
  block_masks masks = {JOINED(quotes), JOINED(backslashes), JOINED(operators),
                       JOINED(colons), JOINED(spaces),      JOINED(specials)};
#undef JOINED
  return masks;
}

#else

static inline block_masks classify(const uint8_t *bytes) {
  block_masks masks = {0, 0, 0, 0, 0, 0};
  for (int place = 0; place < 64; place++) {
    uint8_t byte = bytes[place], folded = byte | 0x20;
    uint64_t bit = (uint64_t)1 << place;
    if (byte == '"') masks.quotes |= bit;
    if (byte == '\\') masks.backslashes |= bit;
    if (byte == ':') masks.colons |= bit;
    if (folded == '{' || folded == '}' || byte == ',') masks.operators |= bit;
    if (byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t') masks.spaces |= bit;
    if (byte < 0x20 || byte > 0x7F || byte == '\\') masks.specials |= bit;
  }
  return masks;
}

#endif

scrolltrace_json_tokens scrolltrace_find_json_tokens_plainly(
    const void *base, uint32_t start, uint32_t end, scrolltrace_json_tokens into) {
  block_state state = {0, 0, 0, 0};
  for (uint32_t block = start; block < end; block += 64) {
    block_masks masks = classify((const uint8_t *)base + block);
    find_in_block(&masks, block, &state, &into);
  }
  return into;
}

scrolltrace_json_tokens scrolltrace_find_json_tokens(
    const void *base, uint32_t start, uint32_t end, scrolltrace_json_tokens into) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) {
    return find_wide(base, start, end, into);
  }
#endif
  return scrolltrace_find_json_tokens_plainly(base, start, end, into);
}
