// Some frames read pages of a file that are not in memory: mapped, or with the argument `read` by calls.
#include "host.h"

#include <sys/mman.h>
enum { page = 4096, pages_a_read = 600, frames_between = 20, frames = 180 };
static const volatile char *file;
static int descriptor;
static bool is_mapped;

static char read_page(int64_t at) {
  if (is_mapped) return file[at];
  static char bytes[page];
  return pread(descriptor, bytes, page, at) == page ? bytes[0] : 0;
}

static int next_page;

static void draw(const scrolltrace_frame *frame, int i) {
  scrolltrace_span phase = scrolltrace_phase_first(frame, SCROLLTRACE_PHASE_UPDATE);
  if (i % frames_between == frames_between / 2) {
    scrolltrace_span read = scrolltrace_span_begin(
        recorder, SCROLLTRACE_NAME("look up"), SCROLLTRACE_CATEGORY_WORK, (uint64_t)i);
    for (int n = 0; n < pages_a_read; n++) sink += (uint64_t)read_page((int64_t)page * next_page++);
    scrolltrace_span_end(&read);
  }
  scrolltrace_phase_next(frame, &phase, SCROLLTRACE_PHASE_DRAW);
  work_us(2000);
  scrolltrace_span_end(&phase);
}

// Maps a file whose pages are on the disk only.
static void map_file(const char *beside) {
  char path[4096];
  snprintf(path, sizeof path, "%s.data", beside);
  descriptor = open(path, O_CREAT | O_TRUNC | O_RDWR, 0600);
  static char bytes[page];
  const int64_t size = (int64_t)page * pages_a_read * (frames / frames_between + 1);
  for (int64_t at = 0; at < size; at += page) {
    bytes[0] = (char)(at / page);
    if (write(descriptor, bytes, page) != page) exit(1);
  }
  if (fsync(descriptor) != 0 || posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) != 0) exit(1);
  if (posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM) != 0) exit(1);
  char *mapped = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (mapped == MAP_FAILED || madvise(mapped, (size_t)size, MADV_RANDOM) != 0) exit(1);
  file = mapped;
}

int main(int argc, char **argv) {
  is_mapped = argc < 3 || strcmp(argv[2], "read") != 0;
  map_file(argv[1]);
  open_host(argv);
  scroll(frames, draw, NULL);
  return close_host();
}
