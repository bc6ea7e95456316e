/// The source of a trace's bytes, read from start to end in blocks.
///
/// A class because a source owns a file descriptor or the state of a stream.
package protocol ByteSource: AnyObject {
  /// Fills the front of `buffer` with the next bytes and returns their number, which is 0 only at
  /// the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int

  /// The total number of bytes, or `nil` if it is not known in advance.
  var byteCount: UInt64? { get }

  /// Returns to the first byte; returns `false` and changes nothing if the source cannot.
  func rewind() throws(ImportError) -> Bool
}

extension ByteSource {
  package func rewind() throws(ImportError) -> Bool { false }

  /// Fills the front of `block` likewise.
  func read(into block: inout [UInt8]) throws(ImportError) -> Int {
    var result = Result<Int, ImportError>.success(0)
    block.withUnsafeMutableBytes { buffer in
      result = Result { () throws(ImportError) in try read(into: buffer) }
    }
    return try result.get()
  }
}

package final class MemoryByteSource: ByteSource {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var byteCount: UInt64? { UInt64(bytes.count) }

  package func rewind() throws(ImportError) -> Bool {
    position = 0
    return true
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    let count = min(buffer.count, bytes.count - position)
    guard count > 0 else { return 0 }
    buffer.copyBytes(from: bytes[position..<(position + count)])
    position += count
    return count
  }
}

/// A source that fails beyond a number of bytes, for streams without a known size.
///
/// A class because byte sources are classes; it owns the position in another source.
final class LimitedByteSource: ByteSource {
  private let source: any ByteSource
  private let maximum: UInt64
  private let onRead: (@Sendable (UInt64, UInt64?) -> Void)?

  private(set) var count: UInt64 = 0

  init(
    _ source: any ByteSource, maximum: UInt64, onRead: (@Sendable (UInt64, UInt64?) -> Void)? = nil
  ) {
    self.source = source
    self.maximum = maximum
    self.onRead = onRead
  }

  var byteCount: UInt64? { source.byteCount }

  func rewind() throws(ImportError) -> Bool {
    guard try source.rewind() else { return false }
    count = 0
    return true
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    let got = try source.read(into: buffer)
    count += UInt64(got)
    guard count <= maximum else {
      throw ImportError("is longer than the limit of \(maximum) bytes", advice: "record less")
    }
    onRead?(count, source.byteCount)
    return got
  }
}

/// A source whose first bytes can be peeked at before they are read.
///
/// A class because byte sources are classes; it owns the position in another source.
final class PrefixedByteSource: ByteSource {
  private let rest: any ByteSource
  private var prefix: [UInt8] = []
  private var position = 0
  private var restHasEnded = false

  /// The maximum number of bytes allocated before they are available.
  private static let maximumAtOnce = 1 << 24

  init(_ rest: any ByteSource) { self.rest = rest }

  var byteCount: UInt64? { rest.byteCount }

  /// Returns the next `count` bytes, fewer only at the end, without consuming them.
  func peek(_ count: Int) throws(ImportError) -> [UInt8] {
    while prefix.count - position < count, !restHasEnded {
      let missing = min(count - (prefix.count - position), Self.maximumAtOnce)
      var block = [UInt8](repeating: 0, count: missing)
      let got = try rest.read(into: &block)
      restHasEnded = got == 0
      prefix.append(contentsOf: block[..<got])
    }
    return Array(prefix[position...].prefix(count))
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    let count = min(buffer.count, prefix.count - position)
    guard count > 0 else { return restHasEnded ? 0 : try rest.read(into: buffer) }
    buffer.copyBytes(from: prefix[position..<(position + count)])
    position += count
    if position == prefix.count {
      prefix = []
      position = 0
    }
    return count
  }

  func rewind() throws(ImportError) -> Bool {
    guard try rest.rewind() else { return false }
    prefix = []
    position = 0
    restHasEnded = false
    return true
  }

  /// Reads to the end, for sources that check something there, such as a checksum.
  func discardRest() throws(ImportError) {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while try rest.read(into: &block) > 0 {}
  }
}

/// The bytes of standard input, which can be a pipe; its path is `-`.
///
/// A class because it represents the state of a stream.
package final class StandardInputByteSource: ByteSource {
  private var start: ArraySlice<UInt8>

  /// Creates a source of `start`, which was read before, and of standard input from its current position.
  package init(after start: [UInt8] = []) { self.start = start[...] }

  /// Reads the first `count` bytes of standard input, fewer only at its end.
  package static func start(_ count: Int) throws(ImportError) -> [UInt8] {
    try PrefixedByteSource(StandardInputByteSource()).peek(count)
  }

  /// `nil`, because a pipe has no size.
  package var byteCount: UInt64? { nil }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    guard buffer.count > 0 else { return 0 }
    if !start.isEmpty {
      let first = start.prefix(buffer.count)
      buffer.copyBytes(from: first)
      start = start.dropFirst(first.count)
      return first.count
    }
    return try readRetrying(0, into: buffer, count: buffer.count)
  }
}
