#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CTestSupport.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int scrolltrace_open_terminal(int *program, unsigned short columns, unsigned short rows) {
  int person = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (person < 0) return -1;
  const char *name = grantpt(person) == 0 && unlockpt(person) == 0 ? ptsname(person) : 0;
  int other = name ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
  struct winsize size = {.ws_row = rows, .ws_col = columns};
  if (other < 0 || ioctl(other, TIOCSWINSZ, &size) != 0) {
    if (other >= 0) close(other);
    close(person);
    return -1;
  }
  *program = other;
  return person;
}
