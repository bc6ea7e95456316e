internal import CRecorderPrimitives
internal import ScrollTraceFormat
internal import Synchronization

/// The paths that nearly all spans take: no calls, few arguments, so that nothing has to be saved.
///
/// Each does all or nothing; where something is to be prepared first, the caller takes the long way.
/// Every instruction counts: on many processors none runs while the tick counter is read.
extension UnsafeMutablePointer<ThreadWriter> {
  /// The writer the calling thread used last, if it is of the recorder `control`.
  @inline(__always)
  static func last(of control: UnsafeMutablePointer<ControlBlock>) -> Self? {
    guard let current = scrolltrace_get_writer() else { return nil }
    let writer = current.assumingMemoryBound(to: ThreadWriter.self)
    return writer.pointee.control == control ? writer : nil
  }

  /// Begins a span now whose texts the chunk defines; a token without writer where it did not.
  ///
  /// - Parameters:
  ///   - name: Where the name's bytes lie.
  ///   - category: Where the category's bytes lie.
  ///   - time: When it begins; `nil` for now.
  @inline(__always)
  func beginQuickly(
    _ name: UnsafePointer<UInt8>, _ category: UnsafePointer<UInt8>, item: UInt64?,
    at time: UInt64? = nil
  ) -> SpanToken {
    let word = stackWord
    guard let reference = cachedReference(category: category, name: name),
      item == nil || pointee.defined[0] & ArgumentKey.item.bit != 0,
      word & Self.deepBits == 0,
      let now = time ?? pointee.scale.time(at: scrolltrace_ticks())
    else { return .off }
    return pushQuickly(reference, item: item, at: now, over: word)
  }

  /// Ends an open span of this thread, with no argument but its item; whether it did.
  ///
  /// - Parameters:
  ///   - key: What its item is called; defined in this chunk.
  ///   - time: When it ends; `nil` for now.
  @inline(__always)
  func endQuickly(
    begin: UInt64, bits: UInt64, key: ArgumentKey = .item, at time: UInt64? = nil
  ) -> Bool {
    guard let entry = openEntry(begin: begin, bits: bits) else { return false }
    let next = pointee.cursor + (bits & SpanToken.hasItemBit == 0 ? 24 : 40)
    guard next <= pointee.limit,
      let now = time ?? pointee.scale.time(at: scrolltrace_ticks())
    else { return false }
    writeSpan(begin: begin, bits: bits, entry, key: key, to: takeEnd(now), next: next)
    pop(to: bits & 0xFFFF)
    return true
  }

  /// Ends an open span of this thread and begins another in its place, with one time for both.
  @inline(__always)
  func changeQuickly(
    begin: UInt64, bits: UInt64, to name: UnsafePointer<UInt8>,
    _ category: UnsafePointer<UInt8>
  ) -> SpanToken {
    guard let reference = cachedReference(category: category, name: name),
      let entry = openEntry(begin: begin, bits: bits)
    else { return .off }
    let next = pointee.cursor + (bits & SpanToken.hasItemBit == 0 ? 24 : 40)
    guard next <= pointee.limit, let now = pointee.scale.time(at: scrolltrace_ticks()) else {
      return .off
    }
    let end = takeEnd(now)
    writeSpan(begin: begin, bits: bits, entry, key: .item, to: end, next: next)
    let word = pop(to: bits & 0xFFFF)
    return pushQuickly(reference, item: nil, at: end, over: word)
  }

  /// The bits of a stack's word that are set where its entries are all taken, and of a token where it
  /// has none.
  @inline(__always)
  private static var deepBits: UInt64 {
    0xFFFF_FFFF & ~UInt64(truncatingIfNeeded: ProfileLayout.Stacks.entryCount - 1)
  }

  /// The entry of the innermost open span if that is the one asked for, its texts have indices and
  /// are in this chunk.
  @inline(__always)
  private func openEntry(begin: UInt64, bits: UInt64) -> UnsafeMutableRawPointer? {
    let depth = bits & 0xFFFF
    guard bits & (Self.deepBits & 0xFFFF | NameReference.isInlineBit) == 0,
      depth &+ 1 == stackWord & 0xFFFF_FFFF, begin >= pointee.chunkFloor
    else { return nil }
    let entry = Self.entry(Int(truncatingIfNeeded: depth), of: pointee.stack)
    let isSame = scrolltrace_load(entry + ProfileLayout.Entry.begin) == begin
    return isSame ? entry : nil
  }

  /// Puts a span on a stack that has room for it; `word` is the stack's.
  @inline(__always)
  private func pushQuickly(
    _ reference: NameReference, item: UInt64?, at time: UInt64, over word: UInt64
  ) -> SpanToken {
    let begin = takeBegin(time)
    let depth = word & 0xFFFF_FFFF
    let next = word &+ (1 << 32 | 1)
    let entry = Self.entry(Int(truncatingIfNeeded: depth), of: pointee.stack)
    let flags: UInt64 = item == nil ? 0 : UInt64(ProfileLayout.Entry.hasItem) << 32
    scrolltrace_store(entry + ProfileLayout.Entry.begin, begin)
    (entry + ProfileLayout.Entry.category).storeBytes(
      of: reference.word >> 32 | flags, as: UInt64.self)
    (entry + ProfileLayout.Entry.item).storeBytes(of: item ?? 0, as: UInt64.self)
    (entry + ProfileLayout.Entry.generation).storeBytes(of: next >> 32, as: UInt64.self)
    setStack(next)
    return SpanToken(
      writer: UnsafeMutableRawPointer(self), begin: begin,
      bits: reference.word | depth | (item == nil ? 0 : SpanToken.hasItemBit), item: item ?? 0)
  }

  /// Writes the record of a span up to `next` (W1 to W3).
  @inline(__always)
  private func writeSpan(
    begin: UInt64, bits: UInt64, _ entry: UnsafeMutableRawPointer, key: ArgumentKey,
    to end: UInt64, next: UnsafeMutableRawPointer
  ) {
    let record = pointee.cursor
    (record + 8).storeBytes(of: begin.littleEndian, as: UInt64.self)
    (next - 8).storeBytes(of: end.littleEndian, as: UInt64.self)
    let header: UInt64
    if bits & SpanToken.hasItemBit != 0 {
      let argument = FXTWord.argument(.unsigned, words: 2, key: key)
      let item = (entry + ProfileLayout.Entry.item).load(as: UInt64.self)
      (record + 16).storeBytes(of: argument.littleEndian, as: UInt64.self)
      (record + 24).storeBytes(of: item.littleEndian, as: UInt64.self)
      header = FXTWord.event(.complete, words: 5, arguments: 1)
    } else {
      header = FXTWord.event(.complete, words: 3, arguments: 0)
    }
    let left = UInt(bitPattern: pointee.chunkEnd) &- UInt(bitPattern: next)
    next.storeBytes(of: FXTWord.pad(bytes: UInt64(left)).littleEndian, as: UInt64.self)
    let references = NameReference(word: bits).headerBits
    scrolltrace_store_release(record, (header | references).littleEndian)
    pointee.cursor = next
  }
}

/// What a host's module calls: arguments that fit registers, and nothing to be kept across the call.
@usableFromInline
enum QuickSpans {
  /// See `beginQuickly(_:_:item:)`.
  @usableFromInline
  static func begin(
    _ name: UnsafePointer<UInt8>, _ category: UnsafePointer<UInt8>,
    _ control: UnsafeMutablePointer<ControlBlock>
  ) -> SpanToken {
    UnsafeMutablePointer.last(of: control)?.beginQuickly(name, category, item: nil) ?? .off
  }

  /// See `beginQuickly(_:_:item:)`.
  @usableFromInline
  static func begin(
    _ name: UnsafePointer<UInt8>, _ category: UnsafePointer<UInt8>,
    _ control: UnsafeMutablePointer<ControlBlock>, item: UInt64
  ) -> SpanToken {
    UnsafeMutablePointer.last(of: control)?.beginQuickly(name, category, item: item) ?? .off
  }

  /// See `endQuickly(begin:bits:)`.
  @usableFromInline
  static func end(
    _ writer: UnsafeMutableRawPointer?, _ begin: UInt64, _ bits: UInt64
  ) -> Bool {
    writerToEnd(writer)?.endQuickly(begin: begin, bits: bits) ?? false
  }

  /// See `changeQuickly(begin:bits:to:_:)`.
  @usableFromInline
  static func change(
    _ writer: UnsafeMutableRawPointer?, _ begin: UInt64, _ bits: UInt64,
    to name: UnsafePointer<UInt8>, _ category: UnsafePointer<UInt8>
  ) -> SpanToken {
    writerToEnd(writer)?.changeQuickly(begin: begin, bits: bits, to: name, category) ?? .off
  }

  /// The writer of a span if it is the one this thread used last and may still write ends: also when
  /// recording was switched off meanwhile.
  @inline(__always)
  private static func writerToEnd(
    _ writer: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<ThreadWriter>? {
    guard let writer, writer == scrolltrace_get_writer() else { return nil }
    let found = writer.assumingMemoryBound(to: ThreadWriter.self)
    let mode = found.pointee.control.pointee.mode.load(ordering: .relaxed)
    return mode <= RecorderMode.on ? found : nil
  }
}
