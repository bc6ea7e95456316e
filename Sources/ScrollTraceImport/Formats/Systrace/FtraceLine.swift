import ScrollTraceModel

/// A line of the kernel's trace as text: `name-pid (tgid) [core] flags seconds: event: arguments`.
///
/// The group in parentheses and the flags may be missing, and the name may contain anything.
struct FtraceLine {
  /// The maximum number of digits of a core's number; there are fewer cores than fit into them.
  private static let maximumCoreLength = 5

  /// The name of the thread, as far as the kernel still knew it.
  let name: UnsafeRawBufferPointer
  let thread: UInt64
  /// The process of the thread, or `nil` if the line does not say.
  let process: UInt64?
  /// The core, or `nil` for a number that no core has.
  let core: Int16?
  /// Whether the event happened in an interrupt, which no thread is the cause of.
  let isInterrupt: Bool
  /// The time in nanoseconds, or `nil` if it cannot be represented.
  let time: Int64?
  let event: UnsafeRawBufferPointer
  let arguments: UnsafeRawBufferPointer

  init?(_ text: UnsafeRawBufferPointer) {
    var offset = 0
    while case let bracket = LineBytes.firstIndex(of: UInt8(ascii: "["), in: text, from: offset),
      bracket < text.count
    {
      offset = bracket + 1
      var number: UInt64 = 0
      let digits = text.digits(from: offset, into: &number)
      let close = offset + digits
      guard digits > 0, digits <= Self.maximumCoreLength, close < text.count,
        text[close] == UInt8(ascii: "]"), let head = Head(text, before: bracket),
        let tail = Tail(text, from: close + 1)
      else { continue }
      name = UnsafeRawBufferPointer(rebasing: text[head.name])
      (thread, process) = (head.thread, head.process)
      core = Int16(exactly: number)
      (time, isInterrupt) = (tail.time, tail.isInterrupt)
      event = UnsafeRawBufferPointer(rebasing: text[tail.event])
      arguments = UnsafeRawBufferPointer(rebasing: text[tail.arguments])
      return
    }
    return nil
  }

  /// What is before the core: the thread's name and numbers.
  private struct Head {
    var name: Range<Int>
    var thread: UInt64
    var process: UInt64?

    init?(_ text: UnsafeRawBufferPointer, before bracket: Int) {
      var end = text.endOfWord(before: bracket)
      process = nil
      if end > 0, text[end - 1] == UInt8(ascii: ")") {
        var open = end - 1
        while open > 0, text[open] != UInt8(ascii: "(") { open -= 1 }
        guard text[open] == UInt8(ascii: "(") else { return nil }
        let first = text.startOfWord(from: open + 1)
        var value: UInt64 = 0
        let count = text.digits(from: first, into: &value)
        guard count > 0 && first + count == end - 1 || text[first] == UInt8(ascii: "-") else {
          return nil
        }
        process = count > 0 ? value : nil
        end = text.endOfWord(before: open)
      }
      var start = end
      while start > 0, text[start - 1].isDigit { start -= 1 }
      guard start < end, start > 0, text[start - 1] == UInt8(ascii: "-") else { return nil }
      var value: UInt64 = 0
      _ = text.digits(from: start, into: &value)
      thread = value
      let first = text.startOfWord(from: 0)
      name = min(first, start - 1)..<(start - 1)
    }
  }

  /// What is behind the core: flags, time and event.
  private struct Tail {
    var isInterrupt = false
    var time: Int64?
    var event: Range<Int>
    var arguments: Range<Int>

    init?(_ text: UnsafeRawBufferPointer, from start: Int) {
      var offset = text.startOfWord(from: start)
      guard offset < text.count else { return nil }
      if !text[offset].isDigit {
        let flags = offset
        while offset < text.count, text[offset] != UInt8(ascii: " ") { offset += 1 }
        // The third one: h and H in an interrupt, s in work left of one, z and Z in one that nothing
        // holds off.
        if offset - flags > 2 { isInterrupt = "hHszZ".utf8.contains(text[flags + 2]) }
        offset = text.startOfWord(from: offset)
      }
      guard FtraceLine.readTime(text, &offset, into: &time), offset < text.count,
        text[offset] == UInt8(ascii: ":")
      else { return nil }
      let first = text.startOfWord(from: offset + 1)
      var end = first
      while end < text.count, text[end] != UInt8(ascii: " ") { end += 1 }
      guard end > first + 1, text[end - 1] == UInt8(ascii: ":") else { return nil }
      event = first..<(end - 1)
      arguments = text.startOfWord(from: end)..<text.count
    }
  }

  /// The nanoseconds of the seconds in `text`, of which digits beyond those are cut off, or `nil`.
  static func nanoseconds(ofSeconds text: UnsafeRawBufferPointer) -> Int64? {
    var (offset, time) = (0, Int64?.none)
    return readTime(text, &offset, into: &time) ? time : nil
  }

  /// Reads seconds with their fraction; `false` for anything else.
  private static func readTime(
    _ text: UnsafeRawBufferPointer, _ offset: inout Int, into time: inout Int64?
  ) -> Bool {
    var (seconds, fraction) = (UInt64(0), UInt64(0))
    let count = text.digits(from: offset, into: &seconds)
    guard count > 0, offset + count < text.count, text[offset + count] == UInt8(ascii: ".")
    else { return false }
    offset += count + 1
    let end = offset + text.digits(from: offset, into: &fraction)
    guard end > offset else { return false }
    fraction = 0
    for index in offset..<(offset + 9) {
      let digit = index < end ? UInt64(text[index] &- 0x30) : 0
      fraction = fraction * 10 + digit
    }
    offset = end
    time = seconds.times(1_000_000_000)?.plus(fraction).flatMap { Int64(exactly: $0) }
    return true
  }
}

/// The arguments of an event: `key=value` after `key=value`, of which values may contain blanks.
struct FtraceArguments {
  private let text: UnsafeRawBufferPointer
  private var offset = 0

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  /// The number after `key`, which ends with an equals sign; `nil` if there is none.
  mutating func number(after key: StaticString) -> UInt64? {
    guard let start = find(key) else { return nil }
    var value: UInt64 = 0
    let count = text.digits(from: start, into: &value)
    offset = start + count
    return count > 0 ? value : nil
  }

  mutating func hexadecimal(after key: StaticString) -> UInt64? {
    guard let start = find(key) else { return nil }
    var (value, offset) = (UInt64(0), start)
    while offset < text.count, offset - start < 16, let digit = JSONText.hexDigit(text[offset]) {
      value = value << 4 | UInt64(digit)
      offset += 1
    }
    self.offset = offset
    return offset > start ? value : nil
  }

  /// The text after `key`, up to the blank before `next` or, without it, up to any blank.
  mutating func text(
    after key: StaticString, until next: StaticString? = nil
  ) -> UnsafeRawBufferPointer? {
    guard let start = find(key) else { return nil }
    offset = start
    let end: Int
    if let next {
      guard let found = find(next) else { return nil }
      end = text.endOfWord(before: max(start, found - next.utf8CodeUnitCount))
      offset = max(start, found - next.utf8CodeUnitCount)
    } else {
      end = LineBytes.firstIndex(of: UInt8(ascii: " "), in: text, from: start)
      offset = end
    }
    return UnsafeRawBufferPointer(rebasing: text[start..<max(start, end)])
  }

  /// The offset behind the next `key` that begins a word, or `nil` if there is none.
  private func find(_ key: StaticString) -> Int? {
    let count = key.utf8CodeUnitCount
    guard count > 0 else { return nil }
    var start = offset
    while case let found = LineBytes.firstIndex(of: key.utf8Start[0], in: text, from: start),
      found + count <= text.count
    {
      let isWord = found == 0 || text[found - 1] == UInt8(ascii: " ")
      if isWord, UnsafeRawBufferPointer(rebasing: text[found..<(found + count)]).hasBytes(of: key) {
        return found + count
      }
      start = found + 1
    }
    return nil
  }
}

extension UnsafeRawBufferPointer {
  /// Reads digits from `offset` on into `value`, which stays the largest where they do not fit.
  ///
  /// - Returns: How many digits there are.
  fileprivate func digits(from offset: Int, into value: inout UInt64) -> Int {
    var (end, result) = (offset, UInt64(0))
    while end < count, self[end].isDigit {
      result = result.saturatingMultiply(10).saturatingAdd(UInt64(self[end] &- 0x30))
      end += 1
    }
    value = result
    return end - offset
  }

  /// The first offset at or behind `offset` that is no blank.
  fileprivate func startOfWord(from offset: Int) -> Int {
    var offset = offset
    while offset < count, self[offset] == 0x20 || self[offset] == 0x09 { offset += 1 }
    return offset
  }

  /// The end of the text before `offset`, without trailing blanks.
  fileprivate func endOfWord(before offset: Int) -> Int {
    var offset = offset
    while offset > 0, self[offset - 1] == 0x20 || self[offset - 1] == 0x09 { offset -= 1 }
    return offset
  }
}
