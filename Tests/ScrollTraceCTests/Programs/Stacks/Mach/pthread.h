#include_next <pthread.h>

#ifndef STAND_IN_PTHREAD_H
#define STAND_IN_PTHREAD_H

#include <stdint.h>

typedef uint32_t mach_port_t;

void *pthread_get_stackaddr_np(pthread_t thread);
mach_port_t pthread_mach_thread_np(pthread_t thread);

#endif
