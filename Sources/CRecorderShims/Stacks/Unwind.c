#define _GNU_SOURCE
#include "Unwind.h"

#ifdef SCROLLTRACE_HAS_STACKS

#include <string.h>

#if defined(__aarch64__)
#include <signal.h>
#include <ucontext.h>
#endif

#include "Modules.h"

// The kinds of rules. A register without a rule keeps its value.
enum {
  SAME,
  /// Unknown in the caller. For the return address: there is no caller.
  UNDEFINED,
  /// Stored at the canonical frame address plus `value`.
  AT_OFFSET,
  /// The canonical frame address plus `value`.
  IS_OFFSET,
  /// In the register `value`.
  IN_REGISTER,
  /// Stored where an expression says, which lies `value` bytes from the module's header.
  AT_EXPRESSION,
  /// What an expression says.
  IS_EXPRESSION,
};

/// Bytes of a module that are being read.
typedef struct cursor {
  uint64_t at, end;
  bool is_valid, is_guarded;
} cursor;

/// The entry of a function, and what it shares with others.
typedef struct function_entry {
  uint64_t start, end;
  uint64_t first_code, first_code_end, code, code_end;
  uint64_t code_alignment;
  int64_t data_alignment;
  uint8_t encoding;
  bool has_augmentation, is_signal_frame;
} function_entry;

// ---- Reading a module -------------------------------------------------------------------------------

static uint64_t read_number(cursor *cursor, unsigned size) {
  if (!cursor->is_valid || cursor->at > cursor->end || cursor->end - cursor->at < size) {
    cursor->is_valid = false;
    return 0;
  }
  uint64_t value = 0;
  cursor->is_valid = scrolltrace_read_memory(cursor->at, &value, size, cursor->is_guarded);
  cursor->at += size;
  return value;
}

static uint64_t read_unsigned(cursor *cursor) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const uint64_t byte = read_number(cursor, 1);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  cursor->is_valid = false;
  return 0;
}

static int64_t read_signed(cursor *cursor) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const uint64_t byte = read_number(cursor, 1);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      if (shift < 57 && byte & 0x40) value |= ~(uint64_t)0 << (shift + 7);
      return (int64_t)value;
    }
  }
  cursor->is_valid = false;
  return 0;
}

static int64_t sign_extended(uint64_t value, unsigned size) {
  const unsigned unused = 64 - 8 * size;
  return (int64_t)(value << unused) >> unused;
}

/// The size of a pointer in an encoding; 0 if it is not supported.
static unsigned encoded_size(uint8_t encoding) {
  switch (encoding & 0x0f) {
    case 0x00: case 0x04: case 0x0c: return 8;
    case 0x02: case 0x0a: return 2;
    case 0x03: case 0x0b: return 4;
    default: return 0;
  }
}

/// Reads a pointer that is absolute or relative to its own place.
static uint64_t read_encoded(cursor *cursor, uint8_t encoding) {
  const unsigned size = encoded_size(encoding);
  const uint8_t base = encoding & 0xf0;
  if (size == 0 || (base != 0 && base != 0x10)) {
    cursor->is_valid = false;
    return 0;
  }
  const uint64_t place = cursor->at;
  uint64_t value = read_number(cursor, size);
  if (encoding & 0x08) value = (uint64_t)sign_extended(value, size);
  return base ? place + value : value;
}

/// Returns the entry for the function before or at `pc` in the sorted table of the module, or 0.
static uint64_t find_entry(const frame_information *information, uint64_t pc) {
  cursor cursor = {information->header, information->end, true, information->is_guarded};
  const uint64_t version = read_number(&cursor, 1);
  const uint8_t frame_encoding = (uint8_t)read_number(&cursor, 1);
  const uint8_t count_encoding = (uint8_t)read_number(&cursor, 1);
  const uint64_t table_encoding = read_number(&cursor, 1);
  const unsigned frame_size = encoded_size(frame_encoding);
  // 0x3b: relative to the header, four bytes; linkers write nothing else.
  if (!cursor.is_valid || version != 1 || table_encoding != 0x3b || frame_size == 0) return 0;
  cursor.at += frame_size;
  const uint64_t count = read_encoded(&cursor, count_encoding);
  const uint64_t table = cursor.at;
  if (!cursor.is_valid || count == 0 || count > (information->end - table) / 8) return 0;
  const int64_t wanted = (int64_t)(pc - information->header);
  uint64_t low = 0, high = count;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    int32_t start;
    if (!scrolltrace_read_memory(table + middle * 8, &start, sizeof start, cursor.is_guarded)) return 0;
    if (start <= wanted) low = middle + 1; else high = middle;
  }
  if (low == 0) return 0;
  int32_t entry;
  const uint64_t place = table + (low - 1) * 8 + 4;
  if (!scrolltrace_read_memory(place, &entry, sizeof entry, cursor.is_guarded)) return 0;
  return information->header + (uint64_t)(int64_t)entry;
}

/// A cursor over an entry at `address`, behind its length; invalid if it does not lie in the segment.
static cursor open_entry(const frame_information *information, uint64_t address) {
  cursor cursor = {
    address, information->end, address >= information->start, information->is_guarded};
  const uint64_t length = read_number(&cursor, 4);
  // 0 ends the section, and the other is the form for sections above 4 GiB.
  if (length == 0 || length == 0xffffffff || length > cursor.end - cursor.at) cursor.is_valid = false;
  if (cursor.is_valid) cursor.end = cursor.at + length;
  return cursor;
}

/// Reads the part that functions share.
static bool read_common(
    const frame_information *information, uint64_t address, function_entry *entry) {
  cursor cursor = open_entry(information, address);
  if (read_number(&cursor, 4) != 0) return false;
  const uint64_t version = read_number(&cursor, 1);
  if (version != 1 && version != 3) return false;
  char augmentation[8] = {0};
  for (unsigned index = 0; index < sizeof augmentation; index++) {
    augmentation[index] = (char)read_number(&cursor, 1);
    if (augmentation[index] == 0) break;
  }
  if (augmentation[sizeof augmentation - 1] != 0) return false;
  entry->code_alignment = read_unsigned(&cursor);
  entry->data_alignment = read_signed(&cursor);
  const uint64_t register_number = version == 1 ? read_number(&cursor, 1) : read_unsigned(&cursor);
  if (register_number != RETURN_ADDRESS) return false;
  entry->encoding = 0;
  entry->is_signal_frame = false;
  entry->has_augmentation = augmentation[0] == 'z';
  if (!entry->has_augmentation && augmentation[0] != 0) return false;
  if (entry->has_augmentation) {
    const uint64_t length = read_unsigned(&cursor);
    if (!cursor.is_valid || length > cursor.end - cursor.at) return false;
    const uint64_t behind = cursor.at + length;
    for (const char *letter = augmentation + 1; *letter; letter++) {
      if (*letter == 'R') {
        entry->encoding = (uint8_t)read_number(&cursor, 1);
      } else if (*letter == 'P') {
        cursor.at += encoded_size((uint8_t)read_number(&cursor, 1));
      } else if (*letter == 'L') {
        read_number(&cursor, 1);
      } else if (*letter == 'S') {
        entry->is_signal_frame = true;
      } else if (*letter != 'B') {
        break;
      }
    }
    cursor.at = behind;
  }
  entry->first_code = cursor.at;
  entry->first_code_end = cursor.end;
  return cursor.is_valid;
}

/// Reads the entry of the function that contains `pc`.
static bool read_entry(
    const frame_information *information, uint64_t pc, function_entry *entry) {
  const uint64_t address = find_entry(information, pc);
  if (address == 0) return false;
  cursor cursor = open_entry(information, address);
  const uint64_t place = cursor.at;
  const uint64_t distance = read_number(&cursor, 4);
  if (!cursor.is_valid || distance == 0 || distance > place - information->start) return false;
  if (!read_common(information, place - distance, entry)) return false;
  entry->start = read_encoded(&cursor, entry->encoding);
  const uint64_t length = read_encoded(&cursor, entry->encoding & 0x0f);
  if (!cursor.is_valid || pc < entry->start || pc - entry->start >= length) return false;
  entry->end = entry->start + length;
  if (entry->has_augmentation) {
    const uint64_t size = read_unsigned(&cursor);
    if (!cursor.is_valid || size > cursor.end - cursor.at) return false;
    cursor.at += size;
  }
  entry->code = cursor.at;
  entry->code_end = cursor.end;
  return true;
}

// ---- Call frame instructions ------------------------------------------------------------------------

/// A row while instructions change it.
typedef struct row_program {
  const frame_information *information;
  const function_entry *entry;
  unwind_scratch *scratch;
  unwind_row *row;
  uint64_t location;
  unsigned remembered;
} row_program;

static void set_rule(row_program *program, uint64_t number, uint8_t kind, int64_t value) {
  // Vector registers are nobody's business here.
  if (number >= REGISTER_COUNT) return;
  const bool fits = value >= INT32_MIN && value <= INT32_MAX;
  program->row->registers[number] = (register_rule){fits ? kind : UNDEFINED, fits ? (int32_t)value : 0};
}

static bool set_frame_address(row_program *program, uint64_t number, int64_t offset) {
  if (number >= REGISTER_COUNT || offset < INT32_MIN || offset > INT32_MAX) return false;
  program->row->cfa = (register_rule){(uint8_t)number, (int32_t)offset};
  return true;
}

/// The distance of an expression from the module's header; the cursor moves behind it.
static int64_t skip_expression(row_program *program, cursor *cursor) {
  const int64_t place = (int64_t)(cursor->at - program->information->header);
  const uint64_t length = read_unsigned(cursor);
  if (!cursor->is_valid || length > cursor->end - cursor->at) cursor->is_valid = false;
  else cursor->at += length;
  return place;
}

/// The frame address is an expression if the register has this number.
enum { FRAME_ADDRESS_EXPRESSION = 0xff };

static int64_t scaled(int64_t value, int64_t factor) {
  int64_t product;
  return __builtin_mul_overflow(value, factor, &product) ? INT64_MAX : product;
}

/// Runs an instruction without operands in its first byte; whether it is known.
static bool run_extended(row_program *program, cursor *cursor, uint8_t operation) {
  const int64_t scale = program->entry->data_alignment;
  uint64_t number;
  switch (operation) {
    case 0x00: return true;
    case 0x01: program->location = read_encoded(cursor, program->entry->encoding); return true;
    case 0x02: case 0x03: case 0x04:
      program->location +=
          read_number(cursor, 1u << (operation - 2)) * program->entry->code_alignment;
      return true;
    case 0x05:
      number = read_unsigned(cursor);
      set_rule(program, number, AT_OFFSET, scaled((int64_t)read_unsigned(cursor), scale));
      return true;
    case 0x06:
      number = read_unsigned(cursor);
      if (number < REGISTER_COUNT)
        program->row->registers[number] = program->scratch->first.registers[number];
      return true;
    case 0x07: set_rule(program, read_unsigned(cursor), UNDEFINED, 0); return true;
    case 0x08: set_rule(program, read_unsigned(cursor), SAME, 0); return true;
    case 0x09:
      number = read_unsigned(cursor);
      set_rule(program, number, IN_REGISTER, (int64_t)read_unsigned(cursor));
      return true;
    case 0x0a:
      if (program->remembered == REMEMBERED_ROWS) return false;
      program->scratch->remembered[program->remembered++] = *program->row;
      return true;
    case 0x0b:
      if (program->remembered == 0) return false;
      *program->row = program->scratch->remembered[--program->remembered];
      return true;
    case 0x0c:
      number = read_unsigned(cursor);
      return set_frame_address(program, number, (int64_t)read_unsigned(cursor));
    case 0x0d:
      return set_frame_address(program, read_unsigned(cursor), program->row->cfa.value);
    case 0x0e:
      return set_frame_address(program, program->row->cfa.kind, (int64_t)read_unsigned(cursor));
    case 0x0f: {
      const int64_t place = skip_expression(program, cursor);
      if (place < INT32_MIN || place > INT32_MAX) return false;
      program->row->cfa = (register_rule){FRAME_ADDRESS_EXPRESSION, (int32_t)place};
      return true;
    }
    case 0x10: case 0x16:
      number = read_unsigned(cursor);
      set_rule(
          program, number, operation == 0x10 ? AT_EXPRESSION : IS_EXPRESSION,
          skip_expression(program, cursor));
      return true;
    case 0x11:
      number = read_unsigned(cursor);
      set_rule(program, number, AT_OFFSET, scaled(read_signed(cursor), scale));
      return true;
    case 0x12:
      number = read_unsigned(cursor);
      return set_frame_address(program, number, scaled(read_signed(cursor), scale));
    case 0x13:
      return set_frame_address(program, program->row->cfa.kind, scaled(read_signed(cursor), scale));
    case 0x14:
      number = read_unsigned(cursor);
      set_rule(program, number, IS_OFFSET, scaled((int64_t)read_unsigned(cursor), scale));
      return true;
    case 0x15:
      number = read_unsigned(cursor);
      set_rule(program, number, IS_OFFSET, scaled(read_signed(cursor), scale));
      return true;
    // The return address is signed or no longer: its upper bits are removed in any case.
    case 0x2c: case 0x2d: return true;
    case 0x2e: read_unsigned(cursor); return true;
    default: return false;
  }
}

/// Runs instructions up to the row of `pc`; whether all of them are known.
static bool run(row_program *program, uint64_t code, uint64_t end, uint64_t pc) {
  cursor cursor = {code, end, true, program->information->is_guarded};
  while (cursor.is_valid && cursor.at < cursor.end && program->location <= pc) {
    const uint8_t operation = (uint8_t)read_number(&cursor, 1);
    const uint8_t operand = operation & 0x3f;
    switch (operation >> 6) {
      case 1: program->location += operand * program->entry->code_alignment; break;
      case 2:
        set_rule(
            program, operand, AT_OFFSET,
            scaled((int64_t)read_unsigned(&cursor), program->entry->data_alignment));
        break;
      case 3:
        if (operand < REGISTER_COUNT)
          program->row->registers[operand] = program->scratch->first.registers[operand];
        break;
      default:
        // A row that is not complete is not for this place either.
        if (!run_extended(program, &cursor, operation)) return false;
    }
  }
  return cursor.is_valid;
}

#if defined(__aarch64__)
/// Whether a signal handler that returns to `pc` returns to what it has interrupted.
static bool ends_signal(uint64_t pc) {
  uint32_t code[2];
  if (!scrolltrace_read_memory(pc, code, sizeof code, true)) return false;
  // mov x8, #139 (rt_sigreturn); svc #0
  return code[0] == 0xd2801168 && code[1] == 0xd4000001;
}
#endif

/// Finds the row for `pc`; whether there is one.
static bool find_row(
    const frame_information *information, uint64_t pc, unwind_scratch *scratch, cached_row *found) {
  function_entry entry;
  if (!read_entry(information, pc, &entry)) return false;
  memset(&found->row, 0, sizeof found->row);
  row_program program = {information, &entry, scratch, &found->row, entry.start, 0};
  if (!run(&program, entry.first_code, entry.first_code_end, UINT64_MAX)) return false;
  scratch->first = found->row;
  program.location = entry.start;
  program.remembered = 0;
  if (!run(&program, entry.code, entry.code_end, pc)) return false;
  found->pc = pc;
  found->header = information->header;
  found->function_start = entry.start;
  found->function_end = entry.end;
#if defined(__aarch64__)
  found->is_signal_frame = ends_signal(pc + 1);
#else
  found->is_signal_frame = entry.is_signal_frame;
#endif
  return true;
}

// ---- Walking ----------------------------------------------------------------------------------------

/// A word that may lie anywhere.
typedef struct __attribute__((packed, may_alias)) stack_word {
  uint64_t value;
} stack_word;

/// Reads a word of the stack, which sanitizers think belongs to others.
__attribute__((no_sanitize("address", "thread")))
static bool read_stack(stack_memory stack, uint64_t address, uint64_t *value) {
  if (address < stack.low || stack.top < sizeof *value || address > stack.top - sizeof *value)
    return false;
  *value = ((const stack_word *)(const void *)(stack.bytes + (address - stack.low)))->value;
  return true;
}

static bool is_known(const registers *registers, uint64_t number) {
  return number < REGISTER_COUNT && registers->known >> number & 1;
}

static void set_register(registers *registers, unsigned number, uint64_t value) {
  registers->value[number] = value;
  registers->known |= (uint64_t)1 << number;
}

/// Evaluates the expression at `place` of a module; whether it is known how.
static bool evaluate(
    const frame_information *information, int32_t place, const registers *registers,
    stack_memory stack, const uint64_t *first, uint64_t *result) {
  enum { DEPTH = 8 };
  uint64_t values[DEPTH];
  unsigned count = 0;
  if (first) values[count++] = *first;
  cursor cursor = {
    information->header + (uint64_t)(int64_t)place, information->end, true, information->is_guarded};
  if (cursor.at < information->start) return false;
  const uint64_t length = read_unsigned(&cursor);
  if (!cursor.is_valid || length > cursor.end - cursor.at) return false;
  cursor.end = cursor.at + length;
  while (cursor.is_valid && cursor.at < cursor.end) {
    const uint8_t operation = (uint8_t)read_number(&cursor, 1);
    uint64_t value = 0;
    bool pushes = true;
    if (operation >= 0x30 && operation <= 0x4f) {
      value = operation - 0x30u;
    } else if (operation >= 0x70 && operation <= 0x8f) {
      const unsigned number = operation - 0x70u;
      const int64_t offset = read_signed(&cursor);
      if (is_known(registers, number)) value = registers->value[number];
      else if (number == PROGRAM_COUNTER) value = registers->pc;
      else return false;
      value += (uint64_t)offset;
    } else if (operation >= 0x08 && operation <= 0x0f) {
      const unsigned size = 1u << ((operation - 0x08u) / 2);
      value = read_number(&cursor, size);
      if (operation & 1) value = (uint64_t)sign_extended(value, size);
    } else if (operation == 0x12 && count > 0) {
      value = values[count - 1];
    } else if (operation == 0x06 && count > 0) {
      pushes = false;
      if (!read_stack(stack, values[count - 1], &values[count - 1])) return false;
    } else if (operation == 0x23 && count > 0) {
      pushes = false;
      values[count - 1] += read_unsigned(&cursor);
    } else if (count > 1) {
      pushes = false;
      const uint64_t right = values[--count], left = values[count - 1];
      switch (operation) {
        case 0x1a: value = left & right; break;
        case 0x1c: value = left - right; break;
        case 0x21: value = left | right; break;
        case 0x22: value = left + right; break;
        case 0x24: value = right < 64 ? left << right : 0; break;
        case 0x25: value = right < 64 ? left >> right : 0; break;
        case 0x2a: value = (int64_t)left >= (int64_t)right; break;
        case 0x2b: value = (int64_t)left > (int64_t)right; break;
        case 0x2c: value = (int64_t)left <= (int64_t)right; break;
        case 0x2d: value = (int64_t)left < (int64_t)right; break;
        default: return false;
      }
      values[count - 1] = value;
    } else {
      return false;
    }
    if (!pushes) continue;
    if (count == DEPTH) return false;
    values[count++] = value;
  }
  if (!cursor.is_valid || count == 0) return false;
  *result = values[count - 1];
  return true;
}

/// Removes what is no part of an address: the signature of a return address.
static uint64_t plain_address(uint64_t address) {
#if defined(__aarch64__)
  return address & (((uint64_t)1 << 48) - 1);
#else
  return address;
#endif
}

/// Finds the frame address of a row; whether it is known.
static bool find_frame_address(
    const cached_row *row, const frame_information *information, const registers *registers,
    stack_memory stack, uint64_t *address) {
  const register_rule rule = row->row.cfa;
  if (rule.kind == FRAME_ADDRESS_EXPRESSION)
    return evaluate(information, rule.value, registers, stack, NULL, address);
  if (!is_known(registers, rule.kind)) return false;
  *address = registers->value[rule.kind] + (uint64_t)(int64_t)rule.value;
  return true;
}

/// Applies a row: `registers` become those of the caller.
static bool apply(
    const cached_row *row, const frame_information *information, uint64_t address,
    stack_memory stack, registers *registers, bool *is_outermost) {
  struct registers caller = {.known = 0};
  *is_outermost = false;
  for (unsigned number = 0; number < REGISTER_COUNT; number++) {
    const register_rule rule = row->row.registers[number];
    uint64_t place, value;
    switch (rule.kind) {
      case SAME:
        if (is_known(registers, number)) set_register(&caller, number, registers->value[number]);
        break;
      case AT_OFFSET:
        if (read_stack(stack, address + (uint64_t)(int64_t)rule.value, &value))
          set_register(&caller, number, value);
        break;
      case IS_OFFSET:
        set_register(&caller, number, address + (uint64_t)(int64_t)rule.value);
        break;
      case IN_REGISTER:
        if (is_known(registers, (uint64_t)rule.value))
          set_register(&caller, number, registers->value[rule.value]);
        break;
      case AT_EXPRESSION:
        if (evaluate(information, rule.value, registers, stack, &address, &place)
            && read_stack(stack, place, &value))
          set_register(&caller, number, value);
        break;
      case IS_EXPRESSION:
        if (evaluate(information, rule.value, registers, stack, &address, &value))
          set_register(&caller, number, value);
        break;
      default: break;
    }
  }
  if (row->row.registers[RETURN_ADDRESS].kind == UNDEFINED) {
    *is_outermost = true;
    return true;
  }
  if (row->row.registers[STACK_POINTER].kind == SAME)
    set_register(&caller, STACK_POINTER, address);
  if (!is_known(&caller, RETURN_ADDRESS) || !is_known(&caller, STACK_POINTER)) return false;
  caller.pc = plain_address(caller.value[RETURN_ADDRESS]);
#if defined(__x86_64__)
  // No real register: the caller's is found by its own row.
  caller.known &= ~((uint64_t)1 << RETURN_ADDRESS);
#endif
  *is_outermost = caller.pc == 0;
  *registers = caller;
  return true;
}

/// Whether the instruction before `pc` is a call, and of which function if the instruction says it;
/// otherwise `*target` is 0.
static bool follows_call(uint64_t pc, uint64_t *target) {
  *target = 0;
#if defined(__x86_64__)
  uint8_t code[8];
  if (!scrolltrace_read_code(pc, code, sizeof code)) return false;
  if (code[3] == 0xe8) {
    int32_t distance;
    memcpy(&distance, code + 4, sizeof distance);
    *target = pc + (uint64_t)(int64_t)distance;
    return true;
  }
  // An indirect call: ff /2 with its operands in one to six bytes.
  for (unsigned size = 2; size <= 7; size++) {
    const uint8_t *last = code + sizeof code - size;
    if (last[0] == 0xff && (last[1] & 0x38) == 0x10) return true;
  }
  return false;
#else
  uint32_t code;
  if (!scrolltrace_read_code(pc, &code, sizeof code)) return false;
  if ((code & 0xfc000000) == 0x94000000) {
    *target = pc - 4 + (uint64_t)((int64_t)(int32_t)(code << 6) >> 4);
    return true;
  }
  return (code & 0xfffffc1f) == 0xd63f0000;
#endif
}

/// Goes to the caller by the frame pointer, for code without call frame information.
static bool follow_frame_pointer(stack_memory stack, registers *registers) {
  if (!is_known(registers, FRAME_POINTER)) return false;
  const uint64_t frame = registers->value[FRAME_POINTER];
  uint64_t saved, address, target;
  if (frame < registers->value[STACK_POINTER] || stack.top < 16 || frame > stack.top - 16)
    return false;
  if (!read_stack(stack, frame, &saved) || !read_stack(stack, frame + 8, &address)) return false;
  address = plain_address(address);
  if (!follows_call(address, &target)) return false;
  registers->known = 0;
  registers->pc = address;
  set_register(registers, FRAME_POINTER, saved);
  set_register(registers, STACK_POINTER, frame + 16);
  return true;
}

/// Goes to the caller from a function that has not begun: code without call frame information that jumps
/// to others, such as a table of imported functions.
static bool follow_entry(stack_memory stack, registers *registers) {
  uint64_t address, target;
#if defined(__x86_64__)
  if (!read_stack(stack, registers->value[STACK_POINTER], &address)) return false;
  if (!follows_call(address, &target)) return false;
  set_register(registers, STACK_POINTER, registers->value[STACK_POINTER] + 8);
#else
  (void)stack;
  if (!is_known(registers, RETURN_ADDRESS)) return false;
  address = plain_address(registers->value[RETURN_ADDRESS]);
  if (!follows_call(address, &target)) return false;
#endif
  registers->pc = address;
  return true;
}

#if defined(__aarch64__)
/// Makes `registers` those that the system has put on the stack for a signal handler. Call frame
/// information leads to the caller of what was interrupted, if there is any.
static bool follow_signal(stack_memory stack, registers *registers) {
  const uint64_t context = registers->value[STACK_POINTER] + sizeof(siginfo_t);
  const uint64_t place = context + offsetof(ucontext_t, uc_mcontext.regs);
  // Behind the 31 registers with numbers are the stack pointer and the program counter.
  for (unsigned number = 0; number < REGISTER_COUNT; number++) {
    uint64_t value;
    if (!read_stack(stack, place + number * 8, &value)) return false;
    set_register(registers, number, value);
  }
  return read_stack(stack, place + REGISTER_COUNT * 8, &registers->pc);
}
#endif

/// Finds the frame pointer of a function that is about to return to a caller, if the registers of a
/// waiting thread do not include it: the pair of a saved frame pointer and a return address behind a
/// call of that function. Old pairs lie in the stack too; a direct call of the function is no chance.
static bool search_frame_pointer(
    const cached_row *row, stack_memory stack, registers *registers) {
  enum { MOST_WORDS = 4096 };
  uint64_t other = 0;
  uint64_t place = registers->value[STACK_POINTER];
  for (unsigned count = 0; count < MOST_WORDS; count++, place += 8) {
    uint64_t saved, address, target;
    if (!read_stack(stack, place, &saved) || !read_stack(stack, place + 8, &address)) break;
    if (saved != 0 && (saved <= place || saved >= stack.top || saved & 7)) continue;
    address = plain_address(address);
    if (!follows_call(address, &target)) continue;
    if (target == row->function_start) {
      other = place;
      break;
    }
    // Behind an indirect call, or one of another function that jumped to this one.
    const bool is_own = address > row->function_start && address <= row->function_end;
    if (other == 0 && target == 0 && !is_own) other = place;
  }
  if (other == 0) return false;
  set_register(registers, FRAME_POINTER, other);
  return true;
}

/// The row for `pc`, which is worked out once.
static const cached_row *cached(
    const frame_information *information, uint64_t pc, unwind_scratch *scratch) {
  cached_row *row = &scratch->rows[(pc ^ pc >> 10) % ROW_COUNT];
  if (row->pc == pc && row->header == information->header) return row;
  row->pc = 0;
  return find_row(information, pc, scratch, row) ? row : NULL;
}

/// Where a walk is.
typedef struct walk_state {
  /// Whether the program counter is not behind a call: at the start, and where a signal came.
  bool is_exact;
  /// Whether there is no caller.
  bool is_outermost;
  /// Whether modules may be unloaded meanwhile. Those on a thread's own stack are not, but which they are
  /// can be a guess.
  bool is_guarded;
} walk_state;

/// Makes `registers` those of the caller of code without call frame information.
static bool guess(registers *registers, stack_memory stack, walk_state *state) {
  const bool was_exact = state->is_exact;
  state->is_exact = false;
  state->is_guarded = true;
  if (was_exact && follow_entry(stack, registers)) return true;
  return follow_frame_pointer(stack, registers);
}

/// Makes `registers` those of the caller; whether it is known.
static bool step(
    registers *registers, stack_memory stack, unwind_scratch *scratch, walk_state *state) {
  const uint64_t place = registers->pc - (state->is_exact ? 0 : 1);
  const uint64_t sp = registers->value[STACK_POINTER];
  frame_information information;
  const cached_row *row =
      scrolltrace_find_frame_information(place, state->is_guarded, &information)
      ? cached(&information, place, scratch) : NULL;
#if defined(__aarch64__)
  if (row ? row->is_signal_frame : !state->is_exact && ends_signal(registers->pc)) {
    state->is_exact = true;
    return follow_signal(stack, registers) && registers->value[STACK_POINTER] > sp;
  }
#endif
  if (!row) return guess(registers, stack, state);
  uint64_t address;
  if (!is_known(registers, row->row.cfa.kind) && row->row.cfa.kind == FRAME_POINTER) {
    state->is_guarded = true;
    if (!search_frame_pointer(row, stack, registers)) return false;
  }
  if (!find_frame_address(row, &information, registers, stack, &address)) return false;
  const bool was_exact = state->is_exact;
  state->is_exact = row->is_signal_frame;
  const uint64_t pc = registers->pc;
  if (!apply(row, &information, address, stack, registers, &state->is_outermost)) return false;
  // The stack grows downward: otherwise the walk could go on in a circle.
  const uint64_t next = registers->value[STACK_POINTER];
  return state->is_outermost || next > sp || (was_exact && next == sp && registers->pc != pc);
}

walk_end scrolltrace_walk(
    registers *registers, stack_memory stack, bool is_guarded, unwind_scratch *scratch,
    uint64_t *addresses, uint32_t capacity, uint32_t *count) {
  walk_state state = {.is_exact = true, .is_guarded = is_guarded};
  *count = 0;
  while (*count < capacity) {
    addresses[(*count)++] = registers->pc - (state.is_exact ? 0 : 1);
    if (!step(registers, stack, scratch, &state)) return WALK_LOST;
    if (state.is_outermost) return WALK_WHOLE;
  }
  return WALK_TRUNCATED;
}

#endif
