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

  /// The files in the directory at `path` that look like traces, ascending by name, without reports
  /// and baselines of this tool; `nil` where `path` is no directory.
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
      .filter { !isReport($0) }
  }

  /// Whether the file at `path` was written by this tool, which is told by its name or its first line.
  private static func isReport(_ path: String) -> Bool {
    let endings = [ReportFormat.benchmarkAction, .bencher].map { "." + $0.ending }
    if endings.contains(where: path.hasSuffix) { return true }
    guard path.hasSuffix(".json") || path.hasSuffix(".xml") else { return false }
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    let head = [UInt8](unsafeUninitializedCapacity: 128) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
    let text = String(decoding: head, as: UTF8.self)
    return text.contains("\"schema\": \"\(ToolIdentity.name).")
      || text.contains("<testsuites name=\"\(ToolIdentity.name)\"")
  }

  private static func isTrace(_ name: String) -> Bool {
    guard !name.hasPrefix(".") else { return false }
    let bare = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
    return endings.contains { bare.hasSuffix("." + $0) }
  }
}
