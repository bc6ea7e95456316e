// A process that the system does not let map files into its memory, as some sandboxes do.

#ifndef SCROLLTRACE_TEST_SANDBOX_H
#define SCROLLTRACE_TEST_SANDBOX_H

#include <stdbool.h>

/// Whether `scrolltrace_run_without_mapping` works here.
bool scrolltrace_can_refuse_mapping(void);

/// Runs a line of shell in a process whose calls to map a file for writing all fail; its exit
/// status, or -1.
int scrolltrace_run_without_mapping(const char *line);

#endif
