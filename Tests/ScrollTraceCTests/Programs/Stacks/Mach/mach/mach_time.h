// What the sampler for Apple's systems uses of their headers, as these declare it.

#ifndef STAND_IN_MACH_TIME_H
#define STAND_IN_MACH_TIME_H

#include <mach/mach.h>

typedef struct {
  uint32_t numer, denom;
} mach_timebase_info_data_t;

kern_return_t mach_timebase_info(mach_timebase_info_data_t *info);
kern_return_t mach_wait_until(uint64_t deadline);

#endif
