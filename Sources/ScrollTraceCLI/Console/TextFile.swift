import ScrollTraceKit

/// A small file of text that a person wrote.
enum TextFile {
  /// The most bytes such a file can have: 1 MiB.
  private static let maximumByteCount = 1 << 20

  /// The text in the file at `path`.
  ///
  /// - Parameter purpose: What it is too large for, such as "a list of interactions".
  static func read(_ path: String, as purpose: String) throws(ImportError) -> String {
    let source = try FileByteSource(path: path)
    var bytes: [UInt8] = []
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    defer { block.deallocate() }
    while true {
      let count = try source.read(into: block)
      guard count > 0 else { break }
      bytes += block[..<count]
      guard bytes.count <= maximumByteCount else {
        throw ImportError("is larger than 1 MiB; that is no \(purpose)")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
