/// Reads the parts of a source that a byte ends, such as lines, one at a time.
package struct DelimitedReader {
  private let source: any ByteSource
  private let delimiter: UInt8
  private let limit: Int
  private var block = [UInt8](repeating: 0, count: 1 << 16)
  private var unread = 0..<0
  private var hasEnded = false

  /// Creates a reader of parts of at most `limit` bytes that end with `delimiter`, the last one perhaps
  /// without.
  package init(_ source: any ByteSource, delimiter: UInt8 = 0x0A, limit: Int = 1 << 26) {
    self.source = source
    self.delimiter = delimiter
    self.limit = limit
  }

  /// A part, or the fact that it was too long.
  package enum Part: Sendable {
    case bytes([UInt8])
    case tooLong(limit: Int)
  }

  /// Returns the next part without the byte that ends it, or `nil` at the end.
  package mutating func next() throws(ImportError) -> Part? {
    var part: [UInt8] = []
    var isTooLong = false
    var hasStarted = false
    while true {
      if unread.isEmpty { guard try refill() else { break } }
      hasStarted = true
      let end = block[unread].firstIndex(of: delimiter)
      if part.count + (end ?? unread.upperBound) - unread.lowerBound > limit {
        isTooLong = true
        part = []
      } else if !isTooLong {
        part += block[unread.lowerBound..<(end ?? unread.upperBound)]
      }
      if let end {
        unread = (end + 1)..<unread.upperBound
        return isTooLong ? .tooLong(limit: limit) : .bytes(part)
      }
      unread = 0..<0
    }
    guard hasStarted else { return nil }
    return isTooLong ? .tooLong(limit: limit) : .bytes(part)
  }

  private mutating func refill() throws(ImportError) -> Bool {
    guard !hasEnded else { return false }
    let count = try source.read(into: &block)
    hasEnded = count == 0
    unread = 0..<count
    return count > 0
  }
}
