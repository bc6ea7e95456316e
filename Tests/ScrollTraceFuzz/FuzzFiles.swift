import ScrollTraceImport
import ScrollTraceKit
import ScrollTracePlatform

/// What reads files of the profile other than as a whole.
enum FuzzFiles {
  /// Counts the records of a file, and reads it with its spans stored and with its spans counted.
  static func inspect(_ input: [UInt8]) {
    if let inventory = try? FXTInventory(of: MemoryByteSource(input)) { _ = "\(inventory)" }
    var options = ImportOptions()
    guard let whole = try? TraceFile.read(MemoryByteSource(input), options: options),
      whole.source.format == "fxt"
    else { return }
    options.onlyCountsSpans = true
    let counted = try? TraceFile.read(MemoryByteSource(input), options: options)
    precondition(
      counted?.spanCount == whole.spanCount && counted?.losses == whole.losses
        && counted?.notices == whole.notices && counted?.range == whole.range
        && counted?.openSpans == whole.openSpans, "counting changes what is known")
  }

  /// A file in the memory of this process alone.
  private static let path = "/dev/shm/scrolltrace-fuzz-\(getpid())"

  /// Runs `body` with a new file and its path.
  static func withFile(_ body: (_ file: Int32, _ path: String) -> Void) {
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    body(file, path)
    close(file)
    unlink(path)
  }

  /// Writes the input in four steps, and reads on after each.
  static func follow(_ input: [UInt8]) { withFile { follow(input, into: $0, path: $1) } }

  private static func follow(_ input: [UInt8], into file: Int32, path: String) {
    var reader: LiveTraceReader?
    let steps = input.first.map { 1 + Int($0 & 3) } ?? 1
    for step in 1...4 {
      let end = step == 4 ? input.count : input.count * step * steps / 16
      let written = input.withUnsafeBytes { pwrite(file, $0.baseAddress, end, 0) }
      precondition(written == end, "the file can be written")
      if reader == nil { reader = try? LiveTraceReader(path: path) }
      guard let reader else { continue }
      _ = try? reader.readOn(maximum: 40_000)
      look(at: reader)
    }
    guard let reader else { return }
    reader.end()
    for _ in 0..<8 where reader.hasMore { _ = try? reader.readOn(maximum: 1 << 20) }
    look(at: reader)
    if let end = reader.latestTime { reader.forget(before: end) }
    look(at: reader)
  }

  private static func look(at reader: LiveTraceReader) {
    let run = TraceAnalyzer().analyze(reader.trace())
    let count = TextRenderer().render(Report([run])).utf8.count
    precondition(count < 16 << 20, "\(count) bytes")
  }
}
