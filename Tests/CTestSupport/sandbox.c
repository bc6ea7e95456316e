#include "CTestSupport.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/// The low half of an argument of a system call, on a little-endian machine.
#define ARGUMENT(index) offsetof(struct seccomp_data, args[index])

static int refuse_mapping(void) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mmap, 0, 5),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(2)),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_WRITE, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(3)),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_SHARED, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

int scrolltrace_run_without_mapping(const char *line) {
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    if (refuse_mapping() != 0) _exit(127);
    execl("/bin/sh", "sh", "-c", line, (char *)0);
    _exit(127);
  }
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool scrolltrace_can_refuse_mapping(void) {
  return scrolltrace_run_without_mapping("exit 0") == 0;
}

#else

int scrolltrace_run_without_mapping(const char *line) { return -1; }
bool scrolltrace_can_refuse_mapping(void) { return false; }

#endif
