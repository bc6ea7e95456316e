// The instructions that compare many bytes at once, which Swift cannot say.

#ifndef SCROLLTRACE_BYTE_MASKS_H
#define SCROLLTRACE_BYTE_MASKS_H

#include <stddef.h>
#include <stdint.h>

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

#endif
