import ScrollTraceKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The traces that operands of a command stand for.
enum TraceList {
  /// The endings of the files that are taken from a directory, each also with `.gz` behind it.
  static let endings = TraceImporters.fileEndings

  /// The files in the directory at `path` that look like traces, ascending by name; `nil` where
  /// `path` is no directory.
  static func contents(ofDirectory path: String) -> [String]? {
    guard path != "-", let directory = opendir(path) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if isTrace(name) { names.append(name) }
    }
    let prefix = path.hasSuffix("/") ? path : path + "/"
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { prefix + $0 }
  }

  private static func isTrace(_ name: String) -> Bool {
    guard !name.hasPrefix(".") else { return false }
    let bare = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
    return endings.contains { bare.hasSuffix("." + $0) }
  }
}
