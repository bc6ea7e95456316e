import ScrollTraceImport
import ScrollTraceModel

/// Reads `bytes` as FXT.
func readTrace(_ bytes: [UInt8]) throws(ImportError) -> Trace {
  var builder = TraceBuilder(format: "fxt")
  try FXTImporter.importTrace(
    MemoryByteSource(bytes), options: ImportOptions(), into: &builder)
  return builder.finish()
}

/// Reads a file of any format that contains `text`.
func read(_ text: String) throws(ImportError) -> Trace { try read(Array(text.utf8)) }

/// Reads a file of any format that contains `bytes`.
func read(_ bytes: [UInt8]) throws(ImportError) -> Trace { try TraceFile.read(bytes) }

/// What the error says with which a file that contains `text` is refused.
func refusal(of text: String) -> String {
  do { _ = try read(text) } catch { return "\(error)" }
  return "it is read"
}

extension Trace {
  /// Whether a notice contains `words`.
  func says(_ words: String) -> Bool { notices.contains { "\($0)".contains(words) } }

  /// The losses by cause.
  var lossCounts: [Loss.Reason: UInt64] {
    Dictionary(uniqueKeysWithValues: losses.map { ($0.reason, $0.count) })
  }

  /// The track of the thread `systemID`.
  func track(_ systemID: UInt64) -> Track? { tracks.first { $0.systemID == systemID } }

  /// `category/name` of each span of the thread `systemID`, in the trace's order.
  func spanNames(_ systemID: UInt64) -> [String] {
    track(systemID)?.spans.labels.map { "\(category(of: $0))/\(name(of: $0))" } ?? []
  }

  /// The arguments of a list as `key=value`.
  func text(of list: ArgumentListID) -> [String] {
    arguments[list].map { argument in
      switch argument.value {
      case .integer(let value): "\(strings[argument.key])=\(value)"
      case .unsigned(let value): "\(strings[argument.key])=\(value)"
      case .double(let value): "\(strings[argument.key])=\(value)"
      case .bool(let value): "\(strings[argument.key])=\(value)"
      case .string(let value): "\(strings[argument.key])=\(strings[value])"
      case .null: "\(strings[argument.key])"
      }
    }
  }
}
