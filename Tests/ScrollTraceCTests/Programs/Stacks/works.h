/* Work whose chains of calls are known, until a time. A program includes it behind what it needs: its
   `moment`, `now` and `FUNCTION`, and how much is done at once: COPIED bytes, SORTED numbers in COMPARED
   rounds each, DEPTH calls and LEAF rounds. */

#define RETURN __asm__ volatile("" ::: "memory")

static volatile uint64_t sum;
static char from[COPIED], to[COPIED];

FUNCTION int compare(const void *left, const void *right) {
  for (int round = 0; round < COMPARED; round++) sum += (uint64_t)round;
  return *(const int *)left - *(const int *)right;
}

FUNCTION void work_memcpy(moment end) {
  while (now() < end) {
    memcpy(to, from, sizeof to);
    __asm__ volatile("" ::"r"(to) : "memory");
  }
  RETURN;
}

FUNCTION void work_malloc(moment end) {
  while (now() < end) {
    for (size_t size = 8; size < 4096; size += 40) {
      void *memory = malloc(size);
      __asm__ volatile("" ::"r"(memory) : "memory");
      free(memory);
    }
  }
  RETURN;
}

FUNCTION void work_qsort(moment end) {
  static int numbers[SORTED];
  while (now() < end) {
    for (int index = 0; index < SORTED; index++) numbers[index] = rand();
    qsort(numbers, SORTED, sizeof *numbers, compare);
  }
  RETURN;
}

FUNCTION uint64_t recurse(int depth, moment end) {
  if (depth == 0) {
    while (now() < end) sum++;
    return 1;
  }
  uint64_t inner = recurse(depth - 1, end);
  RETURN;
  return inner + (uint64_t)depth;
}

FUNCTION void work_recursion(moment end) {
  sum += recurse(DEPTH, end);
  RETURN;
}

FUNCTION void work_poll(moment end) {
  while (now() < end) poll(NULL, 0, 5);
  RETURN;
}

FUNCTION void work_usleep(moment end) {
  while (now() < end) usleep(5000);
  RETURN;
}

FUNCTION void work_leaf(moment end) {
  while (now() < end) {
    for (uint64_t round = 0; round < LEAF; round++) sum += round;
  }
  RETURN;
}
