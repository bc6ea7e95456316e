package import ScrollTraceKit

/// A small text file that a person wrote.
package enum TextFile {
  /// The maximum size: 1 MiB.
  private static let maximumByteCount = 1 << 20

  /// Reads the file at `path`, of a kind that the error names, such as "list of interactions".
  package static func read(_ path: String, as purpose: String) throws(ImportError) -> String {
    do throws(ImportError) {
      return try contents(of: path, as: purpose)
    } catch {
      throw error.inFile(path)
    }
  }

  private static func contents(
    of path: String, as purpose: String
  ) throws(ImportError) -> String {
    let source = try FileByteSource(path: path)
    var bytes: [UInt8] = []
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    defer { block.deallocate() }
    while true {
      let count = try source.read(into: block)
      guard count > 0 else { break }
      bytes += block[..<count]
      guard bytes.count <= maximumByteCount else {
        throw ImportError("is larger than 1 MiB, too large for a \(purpose)")
      }
    }
    // Some editors put a byte order mark before the text.
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return String(decoding: bytes[start...], as: UTF8.self)
  }
}
