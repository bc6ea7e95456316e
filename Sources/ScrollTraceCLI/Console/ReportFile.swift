import ScrollTraceKit
import ScrollTracePlatform

/// What an existing file is, by its start: a trace, or a file that this tool wrote.
enum ReportFile {
  private static let examinedByteCount = 1 << 16
  /// The bytes that contain the tool's name if the file is a report.
  private static let headByteCount = 4096

  /// Returns whether a report can replace the file at `path`: it does not
  /// exist, is empty, or is a report, baseline or script of this tool.
  static func canReplace(_ path: String) -> Bool {
    guard let start = start(of: path), !start.isEmpty else { return true }
    guard !isTrace(start) else { return false }
    // These formats have no place for the name of the tool, or only in a command.
    let nameless = [ReportFormat.benchmarkAction, .bencher, .brief].map { "." + $0.ending }
    return nameless.contains { path.hasSuffix($0) }
      || String(decoding: start.prefix(headByteCount), as: UTF8.self).includes(ToolIdentity.name)
  }

  /// Returns whether a baseline can replace the file at `path`: it does not exist, is empty, or is a baseline
  /// of any schema.
  static func canBeBaseline(_ path: String) -> Bool {
    guard let start = start(of: path), !start.isEmpty else { return true }
    return String(decoding: start.prefix(headByteCount), as: UTF8.self)
      .includes("\"\(ToolIdentity.name).baseline/")
  }

  static func isTrace(_ path: String) -> Bool { start(of: path).map { isTrace($0) } ?? false }

  /// Returns whether the file at `path` is a JSON or JUnit report, a
  /// baseline, or a report whose name says so.
  static func isReport(_ path: String) -> Bool {
    let nameless = [ReportFormat.benchmarkAction, .bencher].map { "." + $0.ending }
    if nameless.contains(where: path.hasSuffix) { return true }
    let endings = [".json", ".ndjson", ".jsonl", ".xml"]
    guard endings.contains(where: path.hasSuffix), let start = start(of: path) else {
      return false
    }
    return isReport(start)
  }

  private static func isReport(_ start: [UInt8]) -> Bool {
    let text = String(decoding: start.prefix(128), as: UTF8.self)
    return text.includes("\"schema\": \"\(ToolIdentity.name).")
      || text.includes("\"schema\":\"\(ToolIdentity.name).")
      || text.includes("<testsuites name=\"\(ToolIdentity.name)\"")
  }

  private static func isTrace(_ start: [UInt8]) -> Bool {
    guard !isReport(start) else { return false }
    // This tool compresses traces and nothing else.
    let isCompressed = start.starts(with: [0x1F, 0x8B])
    return isCompressed
      || TraceImporters.all.contains { type in
        let answer = start.withUnsafeBufferPointer { type.sniff(Span(_unsafeElements: $0)) }
        if case .yes = answer { return true }
        return false
      }
  }

  /// Returns the first bytes of a regular file, or `nil` if there is none.
  private static func start(of path: String) -> [UInt8]? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return [UInt8](unsafeUninitializedCapacity: examinedByteCount) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
  }
}
