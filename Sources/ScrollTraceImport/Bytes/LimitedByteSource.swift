/// A source that fails beyond a number of bytes, for streams without a known size.
///
/// A class because byte sources are classes; it owns the position in another source.
final class LimitedByteSource: ByteSource {
  private let source: any ByteSource
  private let maximum: UInt64
  private let onRead: (@Sendable (UInt64, UInt64?) -> Void)?

  private(set) var count: UInt64 = 0

  init(
    _ source: any ByteSource, maximum: UInt64,
    onRead: (@Sendable (UInt64, UInt64?) -> Void)? = nil
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
