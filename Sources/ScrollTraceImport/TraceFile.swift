public import ScrollTraceModel

/// Opens a trace of any supported format.
///
/// ```swift
/// let trace = try TraceFile.open("run.json.gz")
/// ```
public enum TraceFile {
  /// The maximum number of bytes that importers can inspect to recognize their format: DevTools
  /// writes the page's sources, if they are saved too, before the first event.
  static let sniffedByteCount = 1 << 24

  /// Returns the trace in the file at `path`, or on standard input for `-`.
  ///
  /// The format is recognized by content, never by name; a file compressed by gzip or zstd is
  /// decompressed. What is damaged or missing in a readable file is among the trace's losses.
  ///
  /// - Throws: ``ImportError`` if the file cannot be read, or is no trace.
  public static func open(_ path: String) throws(ImportError) -> Trace {
    try open(path, options: ImportOptions())
  }

  /// Opens the trace with limits on its size.
  package static func open(_ path: String, options: ImportOptions) throws(ImportError) -> Trace {
    do throws(ImportError) {
      guard path != "-" else {
        let input = StandardInputByteSource(after: options.standardInputStart)
        return try read(input, path: path, options: options)
      }
      let file = try file(at: path)
      return try read(file, path: path, options: options) { file.changedWhileReading }
    } catch { throw error.inFile(path) }
  }

  /// Opens the file at `path`, naming what a directory that is a recording needs.
  private static func file(at path: String) throws(ImportError) -> FileByteSource {
    do throws(ImportError) {
      return try FileByteSource(path: path)
    } catch {
      guard error.reason.hasPrefix("is a directory") else { throw error }
      throw RefusedFormats.error(forFolder: path) ?? error
    }
  }

  /// Returns the trace in `bytes`, whose reports show `path`.
  ///
  /// - Throws: ``ImportError`` if the bytes are no trace.
  public static func read(_ bytes: [UInt8], path: String = "") throws(ImportError) -> Trace {
    try read(MemoryByteSource(bytes), path: path)
  }

  /// Returns the trace in `bytes`; `path` is only for the report.
  package static func read(
    _ bytes: any ByteSource, path: String = "", options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> Trace { try read(bytes, path: path, options: options) { false } }

  private static func read(
    _ bytes: any ByteSource, path: String, options: ImportOptions, hasChanged: () -> Bool
  ) throws(ImportError) -> Trace {
    // From a variable, the builder would be copied, and the frames with it.
    let trace = try collect(bytes, path: path, options: options, hasChanged: hasChanged).finish()
    var names = CodeNames(options)
    return names.name(trace)
  }

  /// Returns what `bytes` contain, before it is finished.
  private static func collect(
    _ bytes: any ByteSource, path: String, options: ImportOptions, hasChanged: () -> Bool
  ) throws(ImportError) -> TraceBuilder {
    if let size = bytes.byteCount, size > options.maximumByteCount {
      throw ImportError(
        "has \(size) bytes, over the limit of \(options.maximumByteCount)",
        advice: "raise it")
    }
    let limited = LimitedByteSource(
      bytes, maximum: options.maximumByteCount, onRead: options.onRead)
    var source = PrefixedByteSource(limited)
    let expanded = try Decompression.source(
      of: source, maximumByteCount: options.maximumDecompressedByteCount)
    if let expanded {
      source = PrefixedByteSource(expanded)
      try Decompression.refuseSecond(source)
    }
    let type = try importer(for: source, path: path)
    var builder = TraceBuilder(format: type.name)
    builder.source.path = path
    builder.setsStrayTimesApart = true
    builder.onlyCountsSpans = options.onlyCountsSpans
    builder.keepsFrameArguments = options.keepsFrameArguments
    try type.importTrace(source, options: options, into: &builder)
    try source.discardRest()
    if builder.lacksSpans, try bytes.rewind() {
      var options = options
      options.onlyCountsSpans = false
      return try collect(bytes, path: path, options: options, hasChanged: hasChanged)
    }
    builder.offset = nil
    builder.source.byteCount = bytes.byteCount ?? limited.count
    expanded?.countLosses(in: &builder)
    if hasChanged() { builder.countLoss(.fileChanged) }
    return builder
  }

  /// Returns the bytes of the file at `path`, decompressed if necessary, for callers that do not
  /// read them as a trace. Standard input, `-`, is read to its end first.
  package static func bytes(
    at path: String, options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> any ByteSource {
    var source: any ByteSource
    if path == "-" {
      let input = LimitedByteSource(StandardInputByteSource(), maximum: options.maximumByteCount)
      source = MemoryByteSource(try PrefixedByteSource(input).peek(.max))
    } else {
      source = try file(at: path)
    }
    var prefixed = PrefixedByteSource(LimitedByteSource(source, maximum: options.maximumByteCount))
    let maximum = options.maximumDecompressedByteCount
    if let expanded = try Decompression.source(of: prefixed, maximumByteCount: maximum) {
      source = expanded
      // Decompressed once and kept, because the bytes are read more than once.
      prefixed = PrefixedByteSource(LimitedByteSource(source, maximum: maximum))
      return MemoryByteSource(try prefixed.peek(.max))
    }
    return prefixed
  }

  /// Returns the bytes of the file at `path` or on standard input, decompressed while they are read,
  /// however many they are.
  ///
  /// - Parameters:
  ///   - path: The path, or `-` for standard input.
  ///   - start: The bytes of standard input that were read before.
  package static func bytes(
    streamedFrom path: String, after start: [UInt8] = []
  ) throws(ImportError) -> any ByteSource {
    let prefixed = PrefixedByteSource(
      path == "-" ? StandardInputByteSource(after: start) : try FileByteSource(path: path))
    return try Decompression.source(of: prefixed, maximumByteCount: .max) ?? prefixed
  }

  /// Returns whether `source` contains a trace in the Fuchsia trace format, and rewinds it.
  package static func isFXT(_ source: any ByteSource) throws(ImportError) -> Bool {
    let prefix = try PrefixedByteSource(source).peek(FXTImporter.recognizedByteCount)
    _ = try source.rewind()
    return prefix.withUnsafeBytes { FXTImporter.recognizes($0) }
  }

  private static func importer(
    for source: PrefixedByteSource, path: String
  ) throws(ImportError) -> any TraceImporter.Type {
    var length = 4096
    while true {
      let prefix = try source.peek(length)
      guard !prefix.isEmpty else { throw ImportError("is empty") }
      var undecided = false
      for type in TraceImporters.all {
        switch prefix.withUnsafeBufferPointer({ type.sniff(Span(_unsafeElements: $0)) }) {
        case .yes: return type
        case .needMoreBytes: undecided = true
        case .no: break
        }
      }
      guard undecided, prefix.count == length, length < sniffedByteCount else { break }
      length *= 4
    }
    let start = try source.peek(2)
    if start == [0xFF, 0xFE] || start == [0xFE, 0xFF] {
      throw ImportError(
        "is UTF-16", advice: "in PowerShell: | Out-File -Encoding utf8")
    }
    if let refusal = RefusedFormats.error(for: try source.peek(RefusedFormats.sniffedByteCount)) {
      throw refusal
    }
    if let refusal = RefusedFormats.error(forFile: path) { throw refusal }
    throw unrecognized(try source.peek(sniffedLinesByteCount))
  }

  /// The length of the first lines that are examined to recognize a table.
  private static let sniffedLinesByteCount = 1 << 14

  /// Returns the error for a file of no known format, with the required names of the host's own tables or lines
  /// if its text starts like one of these.
  private static func unrecognized(_ prefix: [UInt8]) -> ImportError {
    let formats = "run `scrolltrace formats`"
    let lines = prefix.split(maxSplits: 2) { $0 == 0x0A || $0 == 0x0D }
    guard let first = lines.first, first.count > 2,
      first.allSatisfy({ $0 >= 0x20 || $0 == 0x09 })
    else { return ImportError("unrecognized format", advice: formats) }
    if first.first == UInt8(ascii: "{") || first.first == UInt8(ascii: "[") {
      return ImportError(
        "unrecognized format",
        advice: formats
          + (first.contains(UInt8(ascii: ",")) ? "; own fields: frame, begin, commitEnd" : ""))
    }
    let header = Array(first)
    let delimiter = header.withUnsafeBytes { TableRow.delimiter(of: $0) }
    let missing = header.withUnsafeBytes { CSVHeader($0)?.missing ?? [] }
    let counts = lines.prefix(2).map { line in line.count { $0 == delimiter } }
    guard let count = counts.first, count > 0, counts.allSatisfy({ $0 == count }),
      !missing.isEmpty
    else { return ImportError("unrecognized format", advice: formats) }
    return ImportError(
      "is a table without the column\(missing.count > 1 ? "s" : "")"
        + " \(missing.joined(separator: ", "))",
      advice: formats + "; own fields: frame, begin_ms, commitEnd_ms")
  }
}
