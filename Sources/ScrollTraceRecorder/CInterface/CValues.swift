internal import CScrollTrace

// The values of the header and those of the recorder: what a host in C gives is taken as it comes,
// NULL and numbers out of range included.

/// `SCROLLTRACE_UNKNOWN`.
@inline(__always)
let unknown = Int64.min

extension UInt64 {
  /// The identifier; `nil` for `SCROLLTRACE_NO_ID`.
  @inline(__always)
  var identifier: UInt64? { self == .max ? nil : self }

  /// The identifier of an item; `nil` for `SCROLLTRACE_NO_ID`.
  @inline(__always)
  var itemID: ItemID? { self == .max ? nil : ItemID(number: self) }
}

extension Int64 {
  /// The time or length of time, or `nil` if it is not known.
  @inline(__always)
  var ifKnown: Nanoseconds? { self > 0 ? self : nil }

  /// The count or place, or `nil` if it is not known.
  var ifCounted: Int? { self >= 0 ? Int(clamping: self) : nil }
}

extension String {
  /// A text that a host gives, for what the recorder keeps a copy of.
  ///
  /// Of one that is too long to be kept it is another that is too long as well, the bytes never looked
  /// at, so that what it belongs to is counted as lost.
  init(_ name: scrolltrace_name) {
    let name = RecordedName(name)
    self = name.isTooLong ? String(repeating: " ", count: name.count) : name.text
  }
}

extension RecordedName {
  /// A name that a host gives; `nil` for the empty text.
  init?(ifGiven name: scrolltrace_name) {
    guard name.text != nil, name.length != 0 else { return nil }
    self.init(name)
  }
}

extension ListID {
  /// The list that a host names, or `nil` if it names none.
  init?(ifGiven name: scrolltrace_name) {
    guard let name = RecordedName(ifGiven: name) else { return nil }
    self.init(name: name)
  }
}

extension scrolltrace_name {
  /// A name for a host.
  init(_ name: RecordedName) {
    let text = UnsafeRawPointer(name.address).assumingMemoryBound(to: CChar.self)
    self.init(text: text, length: name.count)
  }
}

extension scrolltrace_span {
  /// A token for a host.
  @inline(__always)
  init(_ token: SpanToken) {
    self.init(words: token.words)
  }
}

extension SpanToken {
  /// The token a host gives back.
  @inline(__always)
  init(_ span: scrolltrace_span) {
    self.init(words: span.words)
  }
}

extension TraceRecorder {
  /// The recorder a host names; `nil` for NULL.
  @inline(__always)
  init?(_ recorder: OpaquePointer?) {
    guard let recorder else { return nil }
    self.init(handle: UnsafeRawPointer(recorder))
  }
}

extension RecordedSurface {
  /// The surface a host names; `nil` for NULL.
  init?(_ surface: OpaquePointer?) {
    guard let surface else { return nil }
    self.init(handle: UnsafeMutableRawPointer(surface))
  }
}

/// Takes the span out of the host's variable, so that ending it again does nothing.
@inline(__always)
func takeSpan(_ span: UnsafeMutablePointer<scrolltrace_span>?) -> SpanToken? {
  guard let span else { return nil }
  let token = SpanToken(span.pointee)
  span.pointee.words.0 = 0
  return token
}

/// The host's structure as this version knows it: members the host's version lacks are as in
/// `defaults`, those it has besides are left out; `nil` for NULL or one without a size.
func readStructure<Structure: BitwiseCopyable>(
  _ structure: UnsafePointer<Structure>?, defaults: Structure
) -> Structure? {
  guard let structure else { return nil }
  let start = UnsafeRawPointer(structure)
  let size = start.load(as: Int.self)
  guard size >= MemoryLayout<Int>.size else { return nil }
  var value = defaults
  withUnsafeMutableBytes(of: &value) { bytes in
    bytes.copyMemory(
      from: UnsafeRawBufferPointer(start: start, count: min(size, bytes.count)))
  }
  return value
}
