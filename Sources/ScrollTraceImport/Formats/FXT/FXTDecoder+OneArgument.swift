internal import ScrollTraceLayout
internal import ScrollTraceModel

extension FXTDecoder {
  /// Reads the complete event at the front of `words` if it has exactly one number, known labels
  /// and a known thread, and returns its size in bytes. Returns 0 and does nothing for all other
  /// events.
  ///
  /// Spans with an item are such events.
  @inline(__always)
  mutating func readSpanOfOneNumber(_ words: UnsafeRawBufferPointer) -> Int {
    let header = words.word(at: 0)
    let size = Int(header.bits(4, 12)) * 8
    // A complete event with one argument and without inline parts, of four or five words.
    guard header & 0x8000_8000_00ff_000f == 0x14_0004, header & 0xff00_0000 != 0,
      size == 32 || size == 40, size <= words.count,
      references.ticksPerSecond == 1_000_000_000
    else { return 0 }
    let begin = words.word(at: 8)
    let end = words.word(at: size - 8)
    let argument = words.word(at: 16)
    // The argument has one word or two, as the event's size requires, and its name is not inline.
    guard begin <= end, end <= UInt64(Int64.max), argument.bits(4, 12) == UInt64(size / 8 - 3),
      argument & 0x8000_0000 == 0, argument & 0x7fff_0000 != 0,
      let value = Self.number(argument, words, size: size),
      let key = references.string(Int(argument.bits(16, 15))),
      let label = labels.find(FXTLabel.key(epoch: references.epoch, header: header)),
      label.isPlain, let thread = references.thread(Int(header.bits(24, 8)))
    else { return 0 }
    recordCount &+= 1
    select(threads.tracks[Int(thread)])
    let list = builder.argumentList(one: Argument(key: StringID(rawValue: key), value: value))
    batch.append(Int64(bitPattern: begin), Int64(bitPattern: end), label.id, list)
    return size
  }

  /// Returns the integer in an argument, or `nil` if it holds another type.
  @inline(__always)
  private static func number(
    _ argument: UInt64, _ words: UnsafeRawBufferPointer, size: Int
  ) -> ArgumentValue? {
    switch (FXT.ArgumentType(rawValue: argument.bits(0, 4)), size) {
    case (.int32, 32): .integer(Int64(Int32(truncatingIfNeeded: argument >> 32)))
    case (.uint32, 32): .unsigned(argument >> 32)
    case (.int64, 40): .integer(Int64(bitPattern: words.word(at: 24)))
    case (.uint64, 40): .unsigned(words.word(at: 24))
    default: nil
    }
  }
}
