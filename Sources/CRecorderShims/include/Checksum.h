// The instruction for CRC-32C, which Swift cannot name.

#ifndef SCROLLTRACE_CHECKSUM_H
#define SCROLLTRACE_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this machine has the instruction.
bool scrolltrace_has_crc32c(void);

/// The state of a CRC-32C after `count` words of eight bytes at `bytes`; only where the machine has
/// the instruction.
uint32_t scrolltrace_crc32c(uint32_t state, const void *bytes, size_t count);

/// The states of three CRC-32Cs after `count` words each, which lie one after the other at `bytes`;
/// only where the machine has the instruction. One word waits for the one before it: three at a
/// time take no longer than one.
void scrolltrace_crc32c_three(uint32_t states[3], const void *bytes, size_t count);

#endif
