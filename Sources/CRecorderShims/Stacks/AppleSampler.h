// Whether stacks are sampled by suspending threads, as Apple's systems allow.

#ifndef SCROLLTRACE_APPLE_SAMPLER_H
#define SCROLLTRACE_APPLE_SAMPLER_H

#if defined(__APPLE__) && (defined(__x86_64__) || defined(__aarch64__))
#include <TargetConditionals.h>
// A watch and a television let no thread suspend another.
#if !TARGET_OS_WATCH && !TARGET_OS_TV
#define SCROLLTRACE_HAS_APPLE_STACKS 1
#endif
#endif

#endif
