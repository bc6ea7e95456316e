internal import CRecorderShims
public import ScrollTraceLayout
internal import Synchronization

/// What kind of work a span or mark is; a literal is a category of the host's own.
public struct SpanCategory: Sendable, ExpressibleByStringLiteral {
  @usableFromInline package let name: RecordedName

  /// A category called `name`. Names that start with `scrolltrace.` have a fixed meaning.
  @inlinable
  public init(_ name: RecordedName) {
    self.name = name
  }

  /// Creates one of the host's own from a literal.
  @inlinable
  public init(stringLiteral text: StaticString) {
    self.init(RecordedName(text))
  }
}

extension SpanCategory {
  /// The host's own work; where nothing else fits.
  @inlinable public static var work: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.work))
  }

  /// A part of a frame's commit; see `RecordedFrame.withPhase(_:_:)`.
  @inlinable public static var phase: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.phase))
  }

  /// The life of a cell; see `TraceRecorder.withCellStep(_:_:_:)`.
  @inlinable public static var cell: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.cell))
  }

  /// Images; see `TraceRecorder.withImageStep(_:item:view:bytes:_:)`.
  @inlinable public static var image: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.image))
  }

  /// The data behind the list; see `TraceRecorder.withDataStep(_:list:item:view:_:)`.
  @inlinable public static var data: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.data))
  }

  /// The thread waits: for a lock, for input or output.
  @inlinable public static var waiting: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.waiting))
  }

  /// Frames; written by `TraceRecorder.beginFrame(_:surface:id:)`.
  @inlinable public static var frame: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.frame))
  }

  /// What is known of a surface; written by `TraceRecorder.registerSurface(named:tolerance:isGrid:listsHitches:)`.
  @inlinable public static var surface: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.surface))
  }

  /// Hitches that the system lists; written by
  /// `TraceRecorder.recordHitch(at:length:refreshInterval:label:surface:)`.
  @inlinable public static var hitch: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.hitch))
  }

  /// Interactions; written by `TraceRecorder.withInteraction(_:surface:_:)`.
  @inlinable public static var interaction: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.interaction))
  }

  /// States; written by `TraceRecorder.setState(_:to:)`.
  @inlinable public static var state: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.state))
  }

  /// Counters; written by `TraceRecorder.recordCounter(_:_:)`.
  @inlinable public static var counter: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.counter))
  }

  /// What became of the machine meanwhile; written by the recorder.
  @inlinable static var machine: SpanCategory {
    SpanCategory(RecordedName(Vocabulary.Category.machine))
  }
}

/// A span that has begun; `TraceRecorder.endSpan(_:)` on the same thread ends it.
///
/// Every token is to be ended once. A span that is ended out of order or on another thread, and one
/// that was open when its thread began a frame, is written as an asynchronous span, which is no work of
/// a thread. Around code that is suspended use
/// `TraceRecorder.withSpan(_:_:item:isolation:operation:)`.
public struct SpanToken: @unchecked Sendable {
  /// The writer, only followed by the thread it belongs to, or `nil` if recording was off.
  @usableFromInline let writer: UnsafeMutableRawPointer?
  /// When the span began.
  @usableFromInline let begin: UInt64
  /// The header of the record the span will have. Where a text has no index or the stack of open
  /// spans no entry: bits 0…15 the depth, bit 16 the item is set, the rest as in `NameReference`.
  @usableFromInline let bits: UInt64
  /// The item that is worked on; of a span without, where `bits` are a header, the word of the stack of
  /// open spans when it was the innermost.
  @usableFromInline let item: UInt64

  /// The token of a span that is not recorded.
  @usableFromInline static var off: SpanToken { SpanToken(writer: nil, begin: 0, bits: 0, item: 0) }

  @usableFromInline
  init(writer: UnsafeMutableRawPointer?, begin: UInt64, bits: UInt64, item: UInt64) {
    self.writer = writer
    self.begin = begin
    self.bits = bits
    self.item = item
  }

  /// The bits of a span that no header says everything of.
  static func bits(_ reference: NameReference, depth: Int, hasItem: Bool) -> UInt64 {
    let depth = UInt64(truncatingIfNeeded: min(depth, 0xFFFF))
    return reference.word | depth | (hasItem ? 1 << 16 : 0)
  }

  /// Whether `bits` are the header of a record: that of a complete event, whose bit 18 is set.
  @inline(__always)
  var isHeader: Bool { bits & 1 << 18 != 0 }

  /// How many spans were open around it, or `nil` if the stack of open spans has its entry.
  var depth: Int? { isHeader ? nil : Int(bits & 0xFFFF) }

  /// Whether the item is set.
  var hasItem: Bool {
    isHeader ? bits & ~UInt64(UInt32.max) | FXTWord.itemSpan == bits : bits & 1 << 16 != 0
  }

  /// The numbers of category and name.
  var reference: NameReference {
    isHeader ? NameReference(header: bits) : NameReference(word: bits & ~0x1_FFFF)
  }
}

/// A token as other languages keep it, who give nothing else back to end the span.
extension SpanToken {
  /// The token as four words; the first is 0 where nothing is recorded.
  @inlinable @inline(__always)
  package var words: (UInt64, UInt64, UInt64, UInt64) {
    (UInt64(UInt(bitPattern: writer)), begin, bits, item)
  }

  /// The token whose `words` are given.
  @inlinable @inline(__always)
  package init(words: (UInt64, UInt64, UInt64, UInt64)) {
    self.init(
      writer: UnsafeMutableRawPointer(bitPattern: UInt(truncatingIfNeeded: words.0)),
      begin: words.1, bits: words.2, item: words.3)
  }

  /// The recorder the span belongs to, or `nil` if nothing is recorded.
  package var owner: TraceRecorder? { recorder }

  /// Ends the span without naming its recorder.
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
  ///   - name: What is done.
  ///   - category: What kind of work it is.
  ///   - item: The item that is worked on, by its stable identifier.
  @inlinable
  public func withSpan<Value: ~Copyable, Failure: Error>(
    _ name: RecordedName, _ category: SpanCategory = .work, item: ItemID? = nil,
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard shouldRecordEvent() else { return try body() }
    if simulated == nil {
      if let item {
        if let span = control.openSpan(name.start, category.name.start, item: item.number) {
          defer { span.end(item: item.number) }
          return try body()
        }
      } else if let span = control.openSpan(name.start, category.name.start) {
        defer { span.end() }
        return try body()
      }
    }
    let token = openSpan(name, category.name, item: item?.number)
    defer { closeNestedSpan(token) }
    return try body()
  }

  /// Begins a span where a closure does not fit; `endSpan(_:)` on the same thread ends it.
  @inlinable
  public func beginSpan(
    _ name: RecordedName, _ category: SpanCategory = .work, item: ItemID? = nil
  ) -> SpanToken {
    guard shouldRecordEvent() else { return .off }
    if simulated == nil {
      let span =
        if let item {
          control.openSpan(name.start, category.name.start, item: item.number)
        } else {
          control.openSpan(name.start, category.name.start)
        }
      if let span { return span.token(item: item?.number) }
    }
    return openSpan(name, category.name, item: item?.number)
  }

  @usableFromInline @inline(never)
  func openSpan(_ name: RecordedName, _ category: RecordedName, item: UInt64?) -> SpanToken {
    writer.beginSpan(name, category, item: item)
  }

  /// Ends a span.
  @inlinable
  public func endSpan(_ token: SpanToken) {
    if token.writer == nil || token.endFast() { return }
    closeSpan(token)
  }

  @usableFromInline @inline(never)
  func closeSpan(_ token: SpanToken) {
    endSpan(token, details: ItemDetails(item: token.hasItem ? token.item : nil))
  }

  /// Ends a span around a closure.
  @usableFromInline @inline(never)
  func closeNestedSpan(_ token: SpanToken) {
    endSpan(
      token, isNested: true, details: ItemDetails(item: token.hasItem ? token.item : nil))
  }

  /// Ends a span, which was recorded, and begins a phase at the same instant.
  @usableFromInline @inline(never)
  func exchangeSpan(_ token: SpanToken, toPhase phase: RecordedName) -> SpanToken {
    guard shouldRecordEvent() else {
      endSpan(token)
      return .off
    }
    let writer = writer
    let time = writer.readClock()
    endSpan(
      token, at: time, isNested: true,
      details: ItemDetails(item: token.hasItem ? token.item : nil))
    return writer.beginSpan(phase, SpanCategory.phase.name, item: nil, at: time)
  }

  /// The writer that may write the end of a span: also when recording was switched off meanwhile,
  /// but neither after the end, where the file says that the span is open, nor in the child of a
  /// fork.
  @inline(__always)
  var writerToEnd: UnsafeMutablePointer<ThreadWriter>? {
    let mode = control.pointee.mode.load(ordering: .relaxed)
    return mode > RecorderMode.on ? nil : writer
  }

  /// Ends a span with arguments.
  ///
  /// - Parameter isNested: Whether the span cannot have been left while it was open, as one around a
  ///   closure; else it is no work of its thread if the thread has begun a frame meanwhile.
  func endSpan(
    _ token: SpanToken, at time: UInt64? = nil, isNested: Bool = false,
    details: some EventDetails
  ) {
    guard token.writer != nil, let writer = writerToEnd else { return }
    if token.writer == UnsafeMutableRawPointer(writer), let depth = writer.depth(of: token) {
      if isNested || token.begin >= writer.pointee.lastFrameBegin || writer.pointee.isSimulated {
        writer.endSpan(token, depth: depth, at: time, details: details)
      } else {
        writer.endSuspendedSpan(token, depth: depth, at: time, details: details)
      }
    } else {
      endElsewhere(token, writer, at: time, details: details)
    }
  }

  /// Ends a span out of order, on another thread than its own, or of another recorder.
  @inline(never)
  private func endElsewhere(
    _ token: SpanToken, _ writer: UnsafeMutablePointer<ThreadWriter>, at time: UInt64?,
    details: some EventDetails
  ) {
    guard let owner = token.writer, let recorder = ThreadWriter.recorder(of: owner) else { return }
    if recorder != control {
      // A token's numbers of texts are those of its own recorder, and that is where the span ends.
      TraceRecorder(control: recorder, simulated: nil).endSpan(token, at: time, details: details)
      return
    }
    if owner != UnsafeMutableRawPointer(writer) {
      control.pointee.store.takeUnretainedValue().markEnded(token)
    } else if !writer.pointee.leftBehind.remove(token.begin) {
      control.pointee.duplicateEndCount.wrappingAdd(1, ordering: .relaxed)
      return
    }
    let end = time ?? writer.readClock()
    writer.writeAsync(
      token.reference, from: token.begin, to: end, isApart: true, details: details)
  }
}

extension TraceRecorder {
  /// Records a span after the fact, with times of the recorder's clock.
  ///
  /// On a real thread it belongs to no stack, since it may cross other spans: an asynchronous span.
  /// On a simulated thread it is a span of the stack, unless it begins before the last one ended.
  public func recordSpan(
    _ name: RecordedName, _ category: SpanCategory = .work, from begin: Int64,
    to end: Int64, item: ItemID? = nil
  ) {
    guard shouldRecordEvent() else { return }
    writer.recordSpan(
      name, category.name, from: begin, to: end, details: ItemDetails(item: item?.number))
  }

  /// Begins a span at a given time: on simulated threads, whose spans nest like those of real ones.
  ///
  /// Times of one thread must not run backwards; earlier ones are moved to the last.
  public func beginSpan(
    _ name: RecordedName, _ category: SpanCategory = .work, item: ItemID? = nil,
    at time: Int64
  ) -> SpanToken {
    guard shouldRecordEvent() else { return .off }
    return writer.beginSpan(name, category.name, item: item?.number, at: UInt64(max(0, time)))
  }

  /// Ends a span at a given time.
  public func endSpan(_ token: SpanToken, at time: Int64) {
    let item = token.hasItem ? token.item : nil
    endSpan(token, at: UInt64(max(0, time)), details: ItemDetails(item: item))
  }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// Writes a span with given times: of the stack if it comes in order on a simulated thread, else
  /// asynchronous (F-6).
  func recordSpan(
    _ name: RecordedName, _ category: RecordedName, from begin: Int64, to end: Int64,
    details: some EventDetails
  ) {
    guard let reference = reference(category: category, name: name) else { return }
    let begin = UInt64(Swift.max(0, begin))
    let end = UInt64(Swift.max(0, end))
    let first = pointee.earliestBegin
    // A begin that only has to differ from the one before moves by 1 ns.
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
