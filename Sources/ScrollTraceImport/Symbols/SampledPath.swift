/// The paths of the files that have the code of sampled stacks.
enum SampledPath {
  /// The part of a path behind its last slash; the whole path if there is none.
  static func lastPart(of path: String) -> String {
    let bytes = path.utf8
    var end = bytes.endIndex
    while end > bytes.startIndex, bytes[bytes.index(before: end)] == UInt8(ascii: "/") {
      end = bytes.index(before: end)
    }
    guard let slash = bytes[..<end].lastIndex(of: UInt8(ascii: "/")) else {
      return end == bytes.startIndex ? path : String(path[..<end])
    }
    return String(path[bytes.index(after: slash)..<end])
  }
}
