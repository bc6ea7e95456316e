#include_next <time.h>

#ifndef STAND_IN_TIME_H
#define STAND_IN_TIME_H

#include <stdint.h>

// Both count without the time asleep.
#define CLOCK_UPTIME_RAW CLOCK_MONOTONIC

uint64_t clock_gettime_nsec_np(clockid_t clock);

#endif
