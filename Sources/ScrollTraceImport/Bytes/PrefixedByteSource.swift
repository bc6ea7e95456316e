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

  init(_ rest: any ByteSource) {
    self.rest = rest
  }

  var byteCount: UInt64? { rest.byteCount }

  /// Returns the next `count` bytes, fewer only at the end, without consuming them.
  func peek(_ count: Int) throws(ImportError) -> [UInt8] {
    while prefix.count - position < count, !restHasEnded {
      let missing = min(count - (prefix.count - position), Self.maximumAtOnce)
      var block = [UInt8](repeating: 0, count: missing)
      let got = try readRest(into: &block)
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
    while try readRest(into: &block) > 0 {}
  }

  private func readRest(into block: inout [UInt8]) throws(ImportError) -> Int {
    let rest = rest
    var result: Result<Int, ImportError> = .success(0)
    block.withUnsafeMutableBytes { buffer in
      do throws(ImportError) {
        result = .success(try rest.read(into: buffer))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }
}
