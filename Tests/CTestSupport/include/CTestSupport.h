// What tests need of the system and Swift cannot say.

#ifndef SCROLLTRACE_TEST_SUPPORT_H
#define SCROLLTRACE_TEST_SUPPORT_H

#include <stdbool.h>

/// Whether `scrolltrace_run_without_mapping` works here.
bool scrolltrace_can_refuse_mapping(void);

/// Runs a line of shell in a process whose calls to map a file for writing all fail, as in some
/// sandboxes; its exit status, or -1.
int scrolltrace_run_without_mapping(const char *line);

/// Whether this process can count its allocations: where a sanitizer is built in.
bool scrolltrace_can_count_allocations(void);

/// Counts the allocations of the calling thread from now on.
void scrolltrace_begin_counting_allocations(void);

/// How many there have been; counts no more.
long scrolltrace_end_counting_allocations(void);

/// Makes a terminal without a window: gives the side of a person, and that of a program in `program`;
/// -1 where there is none to be had.
int scrolltrace_open_terminal(int *program, unsigned short columns, unsigned short rows);

#endif
