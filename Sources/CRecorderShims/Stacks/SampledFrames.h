// The frames of a thread whose stacks are sampled: the thread changes them, and the helper thread reads.

#ifndef SCROLLTRACE_SAMPLED_FRAMES_H
#define SCROLLTRACE_SAMPLED_FRAMES_H

#include "StackSampler.h"

enum {
  /// How many frames of different surfaces may be open on one thread at a time.
  MOST_OPEN_FRAMES = 4,
};

/// A frame that is open.
typedef struct open_frame {
  const void *surface;
  uint64_t start, deadline;
  /// The time between two refreshes, or 0 if unknown.
  uint64_t interval;
} open_frame;

typedef struct sampled_frames {
  open_frame open[MOST_OPEN_FRAMES];
  uint32_t open_count;
  uint64_t frame_count;
  // Read by the helper.
  uint64_t number, deadline, interval, ended_number, ended_time;
} sampled_frames;

/// Forgets the frames of the thread that had the memory before.
void scrolltrace_reset_frames(sampled_frames *frames);

void scrolltrace_open_frame(
    sampled_frames *frames, const void *surface, uint64_t start, uint64_t deadline,
    uint64_t interval);

void scrolltrace_close_frame(sampled_frames *frames, uint64_t start, uint64_t end);

scrolltrace_sampled_frame scrolltrace_read_frames(const sampled_frames *frames);

#endif
