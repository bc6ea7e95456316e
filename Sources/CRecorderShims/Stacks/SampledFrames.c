#include "SampledFrames.h"

#include <string.h>

/// Says which frame is open now, or until when the next one should begin.
static void publish(sampled_frames *frames, uint64_t next_start, uint64_t interval) {
  const bool is_open = frames->open_count > 0;
  const uint64_t deadline = is_open ? frames->open[frames->open_count - 1].deadline : next_start;
  __atomic_store_n(&frames->deadline, deadline, __ATOMIC_RELAXED);
  __atomic_store_n(&frames->interval, interval, __ATOMIC_RELAXED);
  frames->frame_count++;
  __atomic_store_n(&frames->number, frames->frame_count * 2 + (is_open ? 1 : 0), __ATOMIC_RELEASE);
}

static void remove_frame(sampled_frames *frames, uint32_t index) {
  const uint32_t behind = --frames->open_count - index;
  memmove(&frames->open[index], &frames->open[index + 1], behind * sizeof(open_frame));
}

void scrolltrace_reset_frames(sampled_frames *frames) {
  frames->open_count = 0;
  __atomic_store_n(&frames->interval, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&frames->number, frames->frame_count * 2, __ATOMIC_RELEASE);
}

void scrolltrace_open_frame(
    sampled_frames *frames, const void *surface, uint64_t start, uint64_t deadline,
    uint64_t interval) {
  // The last frame of the surface is over, however it ended.
  for (uint32_t index = 0; index < frames->open_count; index++) {
    if (frames->open[index].surface == surface) remove_frame(frames, index--);
  }
  if (frames->open_count == MOST_OPEN_FRAMES) remove_frame(frames, 0);
  frames->open[frames->open_count++] = (open_frame){surface, start, deadline, interval};
  publish(frames, 0, interval);
}

/// When the next frame has missed a refresh: at the first one after `end`, and a part of one later,
/// because frames seldom begin at the same part of it.
static uint64_t latest_start(const open_frame *frame, uint64_t end) {
  if (frame->interval == 0 || end < frame->start) return UINT64_MAX;
  const uint64_t rest = frame->interval - (end - frame->start) % frame->interval;
  uint64_t latest;
  const bool is_too_late = __builtin_add_overflow(end, rest + frame->interval / 4, &latest);
  return is_too_late ? UINT64_MAX : latest;
}

void scrolltrace_close_frame(sampled_frames *frames, uint64_t start, uint64_t end) {
  for (uint32_t index = 0; index < frames->open_count; index++) {
    if (frames->open[index].start != start) continue;
    const open_frame frame = frames->open[index];
    const bool is_innermost = index + 1 == frames->open_count;
    remove_frame(frames, index);
    if (!is_innermost) return;
    __atomic_store_n(&frames->ended_time, end, __ATOMIC_RELAXED);
    __atomic_store_n(
        &frames->ended_number, __atomic_load_n(&frames->number, __ATOMIC_RELAXED), __ATOMIC_RELEASE);
    return publish(frames, latest_start(&frame, end), frame.interval);
  }
}

scrolltrace_sampled_frame scrolltrace_read_frames(const sampled_frames *frames) {
  scrolltrace_sampled_frame frame;
  frame.number = __atomic_load_n(&frames->number, __ATOMIC_ACQUIRE);
  frame.deadline = __atomic_load_n(&frames->deadline, __ATOMIC_ACQUIRE);
  frame.interval = __atomic_load_n(&frames->interval, __ATOMIC_ACQUIRE);
  frame.ended_number = __atomic_load_n(&frames->ended_number, __ATOMIC_ACQUIRE);
  frame.ended_time = __atomic_load_n(&frames->ended_time, __ATOMIC_ACQUIRE);
  return frame;
}
