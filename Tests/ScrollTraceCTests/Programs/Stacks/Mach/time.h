#include_next <time.h>

#ifndef STAND_IN_TIME_H
#define STAND_IN_TIME_H

#include <stdint.h>

uint64_t clock_gettime_nsec_np(clockid_t clock);

#endif
