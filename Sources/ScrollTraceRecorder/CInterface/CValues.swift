internal import CScrollTrace

// Conversions between the header's values and the recorder's. Any value of the host is accepted,
// including NULL and numbers out of range.

/// `SCROLLTRACE_UNKNOWN`, the value of an unknown time.
@inline(__always)
let unknown = Int64.min

extension UInt64 {
  /// The identifier, or `nil` for `SCROLLTRACE_NO_ID`.
  @inline(__always)
  var identifier: UInt64? { self == .max ? nil : self }

  /// The identifier of an item, or `nil` for `SCROLLTRACE_NO_ID`.
  @inline(__always)
  var itemID: ItemID? { self == .max ? nil : ItemID(number: self) }
}

extension Int64 {
  /// The time or duration, or `nil` if unknown.
  @inline(__always)
  var ifKnown: RecorderTime? { self > 0 ? .nanoseconds(self) : nil }

  /// The count or index, or `nil` if unknown.
  var ifCounted: Int? { self >= 0 ? Int(clamping: self) : nil }
}

extension String {
  /// Creates a string from the host's text, for the recorder to copy.
  ///
  /// A text that is too long is never read. It becomes another text that is too long, so that its
  /// events are counted as lost.
  init(_ name: scrolltrace_name) {
    let name = RecordedName(name)
    self = name.isTooLong ? String(repeating: " ", count: name.length) : name.text
  }
}

extension RecordedName {
  /// Creates a name from the host's, or returns `nil` if it is empty.
  init?(ifGiven name: scrolltrace_name) {
    guard name.text != nil, name.length != 0 else { return nil }
    self.init(name)
  }
}

extension ListID {
  /// Creates the identifier of the host's list, or returns `nil` if there is none.
  init?(ifGiven name: scrolltrace_name) {
    guard let name = RecordedName(ifGiven: name) else { return nil }
    self.init(name: name)
  }
}

extension scrolltrace_name {
  init(_ name: RecordedName) {
    let text = UnsafeRawPointer(name.start).assumingMemoryBound(to: CChar.self)
    self.init(text: text, length: name.length)
  }
}

extension scrolltrace_span {
  @inline(__always)
  init(_ token: SpanToken) { self.init(words: token.words) }
}

/// Calls `body` with the host's recorder, which is never freed, or returns `nil` for NULL.
@inline(__always) @discardableResult
func withRecorder<Result>(
  _ recorder: OpaquePointer?, _ body: (TraceRecorder) -> Result
) -> Result? {
  guard let recorder else { return nil }
  return RecorderPointer(recorder).control.pointee.owner?._withUnsafeGuaranteedRef(body)
}

extension RecorderPointer {
  @inline(__always)
  init(_ recorder: OpaquePointer) { self.init(handle: UnsafeRawPointer(recorder)) }
}

extension RecordedSurface {
  /// Creates a surface from the host's handle, or returns `nil` for NULL.
  init?(_ surface: OpaquePointer?) {
    guard let surface else { return nil }
    self.init(handle: UnsafeMutableRawPointer(surface))
  }
}

/// Clears the host's variable, so that ending the span again has no effect.
@inline(__always)
func takeSpan(_ span: UnsafeMutablePointer<scrolltrace_span>?) -> SpanToken? {
  guard let span else { return nil }
  let token = SpanToken(words: span.pointee.words)
  span.pointee.words.0 = 0
  return token
}

/// Reads the host's structure as this version knows it, or returns `nil` for NULL or a structure
/// without a size. Members that the host's version lacks are as in `defaults`; additional members
/// are ignored.
func readStructure<Structure: BitwiseCopyable>(
  _ structure: UnsafePointer<Structure>?, defaults: Structure
) -> Structure? {
  guard let structure else { return nil }
  let start = UnsafeRawPointer(structure)
  let size = start.load(as: Int.self)
  guard size >= MemoryLayout<Int>.size else { return nil }
  var value = defaults
  withUnsafeMutableBytes(of: &value) { bytes in
    bytes.copyMemory(from: UnsafeRawBufferPointer(start: start, count: min(size, bytes.count)))
  }
  return value
}
