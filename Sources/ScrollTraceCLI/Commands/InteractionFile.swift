import ScrollTraceKit

/// A file of interactions, a line `NAME=FROM..TO` each.
enum InteractionFile {
  /// The most bytes such a file can have.
  private static let maximumByteCount = 1 << 20

  /// The stretches in the file at `path`; empty lines and what follows `#` do not count.
  static func read(
    _ path: String
  ) throws(AnalysisFlags.Failure) -> [AnalysisOptions.NamedStretch] {
    var stretches: [AnalysisOptions.NamedStretch] = []
    let text = try contents(of: path)
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let bare = line.prefix { $0 != "#" }
      let trimmed = String(
        bare.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
      guard !trimmed.isEmpty else { continue }
      guard let stretch = AnalysisOptions.NamedStretch(argument: trimmed) else {
        throw .unreadable(
          path: path,
          problem: "line \(index + 1) is no interaction; write NAME=FROM..TO, such as"
            + " fling=1.2s..3s")
      }
      stretches.append(stretch)
    }
    return stretches
  }

  private static func contents(of path: String) throws(AnalysisFlags.Failure) -> String {
    do throws(ImportError) {
      let source = try FileByteSource(path: path)
      var bytes: [UInt8] = []
      let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
      defer { block.deallocate() }
      while true {
        let count = try source.read(into: block)
        guard count > 0 else { break }
        bytes += block[..<count]
        guard bytes.count <= maximumByteCount else {
          throw ImportError("is larger than 1 MiB; that is no list of interactions")
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      throw .unreadable(path: path, problem: error.description)
    }
  }
}
