import ScrollTraceKit
import ScrollTracePlatform

/// Finds traces that are duplicates of each other.
enum DuplicateTraces {
  /// Returns the paths of `sources` whose files equal an earlier one, with the earlier path.
  ///
  /// Only files of equal length are read: for their hashes, and those with one hash up to their first
  /// difference.
  static func pairs(in sources: [TraceSource]) -> [(path: String, first: String)] {
    let files = sources.filter { $0.path != "-" && $0.byteCount ?? 0 > 0 }
    var sizes: [UInt64: Int] = [:]
    for file in files { sizes[file.byteCount ?? 0, default: 0] += 1 }
    var known: [String: [String]] = [:]
    var pairs: [(path: String, first: String)] = []
    for file in files where sizes[file.byteCount ?? 0] ?? 0 > 1 {
      guard let hash = ContentHash.text(ofFileAt: file.path) else { continue }
      if let first = known[hash]?.first(where: { isSame(file.path, $0) }) {
        pairs.append((file.path, first))
      } else {
        known[hash, default: []].append(file.path)
      }
    }
    return pairs
  }

  /// The sentences on files that were given several times, and on copies of others.
  static func notes(
    repeated: [(path: String, first: String)], copies: [(path: String, first: String)]
  ) -> [String] {
    let maximumNames = 20
    let again = repeated.map { path, first in
      path == first ? path : "\(path), the same file as \(first)"
    }
    let copies = copies.map { "\($0.path), a copy of \($0.first)" }
    return [(again, "already given"), (copies, "copies")].compactMap { names, what in
      guard !names.isEmpty else { return nil }
      let count = names.count == 1 ? "1 trace was" : "\(names.count) traces were"
      return "\(count) ignored as \(what):"
        + " \(names.listed(maximum: maximumNames, separator: "; "))"
    }
  }

  private static func isSame(_ left: String, _ right: String) -> Bool {
    guard let left = fopen(left, "rb") else { return false }
    defer { fclose(left) }
    guard let right = fopen(right, "rb") else { return false }
    defer { fclose(right) }
    let size = 1 << 16
    return withUnsafeTemporaryAllocation(byteCount: size * 2, alignment: 8) { buffer in
      guard let base = buffer.baseAddress else { return false }
      while true {
        let count = fread(base, 1, size, left)
        guard fread(base + size, 1, size, right) == count else { return false }
        if count == 0 { return ferror(left) == 0 && ferror(right) == 0 }
        guard memcmp(base, base + size, count) == 0 else { return false }
      }
    }
  }
}
