import ScrollTraceKit
import ScrollTracePlatform

/// Finds the file that a path with a spelling mistake was meant to name.
enum NearbyFile {
  private static let maximumNames = 10_000

  /// Returns the path of the file with the most similar name in the directory of `path`, or `nil` if
  /// there is none or the file exists.
  static func path(insteadOf path: String) -> String? {
    guard path != "-", !path.isEmpty, access(path, F_OK) != 0, errno == ENOENT else { return nil }
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let (folder, name) = (String(path[..<slash]), String(path[slash...]))
    guard !name.isEmpty else { return nil }
    let names =
      TraceList.names(
        inDirectory: folder.isEmpty ? "." : folder, maximum: maximumNames) ?? []
    let whole = names.first { $0.hasPrefix(name + ".") }
    // A link that leads nowhere has this very name.
    let others = names.filter { $0 != name }
    return (whole ?? Suggestion.nearest(to: name, in: others)).map { folder + $0 }
  }
}
