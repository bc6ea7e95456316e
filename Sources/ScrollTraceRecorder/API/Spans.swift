public import ScrollTraceLayout

/// The category of work that a span or mark belongs to.
public struct SpanCategory: RecordedKind {
  @usableFromInline package let name: RecordedName

  /// Creates a category with a name. Names that start with `scrolltrace.` are reserved.
  @inlinable
  public init(_ name: RecordedName) { self.name = name }
}

extension SpanCategory {
  /// The host's own work that fits no other category.
  @inlinable public static var work: SpanCategory { .init(word: Vocabulary.Category.work) }

  /// A phase of a frame's commit. See `RecordedFrame.phases(_:)`.
  @inlinable package static var phase: SpanCategory { .init(word: Vocabulary.Category.phase) }

  /// The preparation and life of a cell. See `TraceRecorder.withCellStep(_:_:_:)`.
  @inlinable public static var cell: SpanCategory { .init(word: Vocabulary.Category.cell) }

  /// Work on images. See `TraceRecorder.withImageStep(_:item:viewID:bytes:_:)`.
  @inlinable public static var image: SpanCategory { .init(word: Vocabulary.Category.image) }

  /// Work on a list's data. See `TraceRecorder.withDataStep(_:list:item:viewID:_:)`.
  @inlinable public static var data: SpanCategory { .init(word: Vocabulary.Category.data) }

  /// Waiting, for example for a lock or for I/O.
  @inlinable public static var waiting: SpanCategory { .init(word: Vocabulary.Category.waiting) }

  /// Frames; written by `TraceRecorder.beginFrame(_:surface:id:)`.
  @inlinable package static var frame: SpanCategory { .init(word: Vocabulary.Category.frame) }

  /// The properties of a surface; written by `TraceRecorder.registerSurface(named:options:)`.
  @inlinable package static var surface: SpanCategory { .init(word: Vocabulary.Category.surface) }

  /// Reported hitches; written by
  /// `TraceRecorder.recordHitch(at:duration:refreshInterval:label:surface:)`.
  @inlinable package static var hitch: SpanCategory { .init(word: Vocabulary.Category.hitch) }

  /// Interactions; written by `TraceRecorder.withInteraction(_:surface:_:)`.
  @inlinable package static var interaction: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.interaction))
  }

  /// States; written by `TraceRecorder.setState(_:to:)`.
  @inlinable package static var state: SpanCategory { .init(word: Vocabulary.Category.state) }

  /// Counters; written by `TraceRecorder.recordCounter(_:_:)`.
  @inlinable package static var counter: SpanCategory { .init(word: Vocabulary.Category.counter) }

  /// Events of the machine, such as sleep; written by the recorder.
  @inlinable static var machine: SpanCategory { .init(word: Vocabulary.Category.machine) }
}

/// An open span, which `TraceRecorder.endSpan(_:)` ends on the same thread.
///
/// End every token exactly once. A span that is ended out of order or on another thread is written
/// as an asynchronous span, which does not belong to a thread's stack.
public struct SpanToken: @unchecked Sendable {
  /// The writer, or `nil` if recording was off. Only its own thread may dereference it.
  @usableFromInline let writer: UnsafeMutableRawPointer?
  @usableFromInline let begin: UInt64
  /// The header of the span's record. If a text has no index or the span has no entry in the stack
  /// of open spans, bits 0…15 are the depth, bit 16 indicates an item, and the other bits are those
  /// of `NameReference`.
  @usableFromInline let bits: UInt64
  /// The item. If there is none and `bits` is a header: the state word of the stack of open spans
  /// when this span was the innermost.
  @usableFromInline let item: UInt64

  @usableFromInline static var off: SpanToken { SpanToken(writer: nil, begin: 0, bits: 0, item: 0) }

  @usableFromInline
  init(writer: UnsafeMutableRawPointer?, begin: UInt64, bits: UInt64, item: UInt64) {
    self.writer = writer
    self.begin = begin
    self.bits = bits
    self.item = item
  }

  /// The bits of a span that a header alone cannot describe.
  static func bits(_ reference: NameReference, depth: Int, hasItem: Bool) -> UInt64 {
    let depth = UInt64(truncatingIfNeeded: min(depth, 0xFFFF))
    return reference.word | depth | (hasItem ? 1 << 16 : 0)
  }

  /// Whether `bits` is the header of a record. Bit 18 is set in the header of a complete event.
  @inline(__always)
  var isHeader: Bool { bits & 1 << 18 != 0 }

  /// The number of spans that were open around this one, or `nil` if it has an entry in the stack
  /// of open spans.
  var depth: Int? { isHeader ? nil : Int(bits & 0xFFFF) }

  var hasItem: Bool {
    isHeader ? bits & ~UInt64(UInt32.max) | FXTWord.itemSpan == bits : bits & 1 << 16 != 0
  }

  var knownItem: UInt64? { hasItem ? item : nil }

  /// The numbers of the category and the name.
  var reference: NameReference {
    isHeader ? NameReference(header: bits) : NameReference(word: bits & ~0x1_FFFF)
  }
}

/// The words of a token, for hosts in other languages, which pass nothing else to end the span.
extension SpanToken {
  /// The token as four words. The first is 0 if the span is not recorded.
  @inlinable @inline(__always)
  package var words: (UInt64, UInt64, UInt64, UInt64) {
    (UInt64(UInt(bitPattern: writer)), begin, bits, item)
  }

  @inlinable @inline(__always)
  package init(words: (UInt64, UInt64, UInt64, UInt64)) {
    self.init(
      writer: UnsafeMutableRawPointer(bitPattern: UInt(truncatingIfNeeded: words.0)),
      begin: words.1, bits: words.2, item: words.3)
  }

  package func end() {
    if writer == nil || endFast() { return }
    endSlow()
  }
}

extension TraceRecorder {
  /// Records `body` as a span of the calling thread.
  ///
  /// ```swift
  /// let bitmap = recorder.withSpan("decode", .image, item: photo.id) { decode(photo) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the work.
  ///   - category: The category of the work.
  ///   - item: The item that the work is for, or `nil` for none.
  ///   - body: The work.
  @inlinable
  public func withSpan<Value: ~Copyable, Failure: Error>(
    _ name: RecordedName, _ category: SpanCategory = .work, item: ItemID? = nil,
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value { try pointer.withSpan(name, category.name, item: item?.number, body) }

  /// Begins a span that a closure cannot enclose. `endSpan(_:)` ends it on the same thread.
  @inlinable
  public func beginSpan(
    _ name: RecordedName, _ category: SpanCategory = .work, item: ItemID? = nil
  ) -> SpanToken { pointer.beginSpan(name, category.name, item: item?.number) }

  /// Ends a span.
  @inlinable
  public func endSpan(_ token: SpanToken) { pointer.endSpan(token) }

  /// Records a span after the fact.
  ///
  /// On a real thread, the span is asynchronous, because it may overlap other spans. On a simulated
  /// thread, it belongs to the thread's stack unless it begins before the previous span ended.
  public func recordSpan(
    _ name: RecordedName, _ category: SpanCategory = .work, from begin: RecorderTime,
    to end: RecorderTime, item: ItemID? = nil
  ) {
    guard let writer = pointer.enterToRecord() else { return }
    writer.recordSpan(
      name, category.name, from: begin.nanoseconds, to: end.nanoseconds,
      details: ItemDetails(item: item?.number))
    pointer.leave(writer)
  }
}

extension RecorderPointer {
  @inlinable @inline(__always)
  func withSpan<Value: ~Copyable, Failure: Error>(
    _ name: RecordedName, _ category: RecordedName, item: UInt64?,
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard shouldRecordEvent() else { return try body() }
    if simulated == nil {
      if let item {
        if let span = control.openSpan(name.start, category.start, item: item) {
          defer { span.end(item: item) }
          return try body()
        }
      } else if let span = control.openSpan(name.start, category.start) {
        defer { span.end() }
        return try body()
      }
    }
    let token = openSpan(name, category, item: item)
    defer { closeNestedSpan(token) }
    return try body()
  }

  @inlinable @inline(__always)
  func beginSpan(_ name: RecordedName, _ category: RecordedName, item: UInt64?) -> SpanToken {
    guard shouldRecordEvent() else { return .off }
    if simulated == nil {
      let span =
        if let item { control.openSpan(name.start, category.start, item: item) } else {
          control.openSpan(name.start, category.start)
        }
      if let span { return span.token(item: item) }
    }
    return openSpan(name, category, item: item)
  }

  @usableFromInline @inline(never)
  func openSpan(_ name: RecordedName, _ category: RecordedName, item: UInt64?) -> SpanToken {
    guard let writer = enter() else { return .off }
    defer { leave(writer) }
    return writer.beginSpan(name, category, item: item)
  }

  @inlinable @inline(__always)
  func endSpan(_ token: SpanToken) {
    if token.writer == nil || token.endFast() { return }
    closeSpan(token)
  }

  @usableFromInline @inline(never)
  func closeSpan(_ token: SpanToken) {
    endSpan(token, details: ItemDetails(item: token.knownItem))
  }

  /// Ends a span around a closure.
  @usableFromInline @inline(never)
  func closeNestedSpan(_ token: SpanToken) {
    endSpan(token, isNested: true, details: ItemDetails(item: token.knownItem))
  }

  /// Ends a recorded span and begins a phase at the same time.
  @usableFromInline @inline(never)
  func exchangeSpan(_ token: SpanToken, toPhase phase: RecordedName) -> SpanToken {
    guard shouldRecordEvent() else {
      endSpan(token)
      return .off
    }
    let isForeign = endIfForeign(token)
    guard let writer = enter() else { return .off }
    defer { leave(writer) }
    let time = writer.readClock()
    if !isForeign {
      endSpan(
        token, with: writer, at: time, isNested: true, details: ItemDetails(item: token.knownItem))
    }
    return writer.beginSpan(phase, SpanCategory.phase.name, item: nil, at: time)
  }

  /// Ends a span with arguments.
  ///
  /// - Parameter isNested: Whether the span is a frame's commit, a phase or one around a closure. Others
  ///   are no work of a thread if their thread has begun a frame since, or if they end out of order.
  func endSpan(_ token: SpanToken, isNested: Bool = false, details: some EventDetails) {
    // A token's text numbers belong to its own recorder, so the span ends there.
    guard let owner = token.recorder else { return }
    let recorder = owner.control == control ? self : owner
    guard let writer = recorder.enterToEnd() else { return }
    recorder.endSpan(token, with: writer, at: nil, isNested: isNested, details: details)
    recorder.leave(writer)
  }

  /// Ends a span at once if it is another recorder's, and returns whether it was.
  func endIfForeign(_ token: SpanToken) -> Bool {
    guard let owner = token.recorder, owner.control != control else { return false }
    owner.closeNestedSpan(token)
    return true
  }

  /// Ends a span of this recorder with arguments and the writer of the calling thread, which is inside
  /// the recorder.
  func endSpan(
    _ token: SpanToken, with writer: UnsafeMutablePointer<ThreadWriter>, at time: UInt64?,
    isNested: Bool, details: some EventDetails
  ) {
    guard token.writer != nil else { return }
    if token.writer == UnsafeMutableRawPointer(writer), let depth = writer.depth(of: token) {
      if isNested || token.begin >= writer.pointee.lastFrameBegin || writer.pointee.isSimulated {
        writer.endSpan(token, depth: depth, at: time, details: details)
      } else {
        writer.endSuspendedSpan(token, depth: depth, at: time, details: details)
      }
    } else {
      endElsewhere(token, writer, at: time, isNested: isNested, details: details)
    }
  }

  /// Ends a span that is out of order or on another thread.
  @inline(never)
  private func endElsewhere(
    _ token: SpanToken, _ writer: UnsafeMutablePointer<ThreadWriter>, at time: UInt64?,
    isNested: Bool, details: some EventDetails
  ) {
    if token.writer != UnsafeMutableRawPointer(writer) {
      control.pointee.store.takeUnretainedValue().markEnded(token)
    } else if !writer.pointee.leftBehind.remove(token.begin) {
      control.countDuplicateEnd()
      return
    }
    let end = time ?? writer.readClock()
    writer.writeAsync(
      token.reference, from: token.begin, to: end, isApart: !isNested, details: details)
  }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// Writes a span with given times. It belongs to the thread's stack if it is in order on a
  /// simulated thread, and is asynchronous otherwise (F-6).
  func recordSpan(
    _ name: RecordedName, _ category: RecordedName, from begin: Int64, to end: Int64,
    details: some EventDetails
  ) {
    guard let reference = reference(category: category, name: name) else { return }
    let begin = UInt64(Swift.max(0, begin))
    let end = UInt64(Swift.max(0, end))
    let first = pointee.earliestBegin
    // A start that equals the previous one is moved by 1 ns.
    let isInOrder = begin >= first || begin &+ 1 == first && begin >= pointee.earliestEnd
    if pointee.isSimulated && isInOrder {
      let begin = Swift.max(begin, first)
      let end = Swift.max(begin, end)
      pointee.earliestBegin = Swift.max(begin &+ 1, end)
      pointee.earliestEnd = end
      writeEvent(.durationComplete, reference, at: begin, tail: end, details: details)
    } else {
      writeAsync(reference, from: begin, to: end, details: details)
    }
  }
}
