import ScrollTraceLayout
import ScrollTraceTestSupport

/// A small file that keeps or breaks a rule of the trace file, and what a reader has to make of it.
///
/// The answers are worked out from the rules by hand; no reader writes them.
struct ConformanceCase: Sendable {
  /// What a reader makes of a file.
  enum Answer: Sendable {
    /// What the file says, line by line as in the examples of the specification.
    case trace([String])
    /// The file is refused, for a reason that contains these words.
    case refused(String)
  }

  /// The file's name without its ending: the rule, and what the file does about it.
  let name: String
  /// What is in the file.
  let says: String
  /// Whether its writer kept all rules.
  let isKept: Bool
  let bytes: [UInt8]
  let answer: Answer

  /// A file that keeps the rule.
  static func keeps(
    _ name: String, _ says: String, _ bytes: [UInt8], _ answer: String...
  ) -> ConformanceCase {
    ConformanceCase(
      name: name, says: says, isKept: true, bytes: bytes, answer: .trace(answer))
  }

  /// A file that breaks the rule.
  static func breaks(
    _ name: String, _ says: String, _ bytes: [UInt8], _ answer: String...
  ) -> ConformanceCase {
    ConformanceCase(
      name: name, says: says, isKept: false, bytes: bytes, answer: .trace(answer))
  }

  /// A file that no reader takes.
  static func refused(
    _ name: String, _ says: String, _ bytes: [UInt8], _ reason: String
  ) -> ConformanceCase {
    ConformanceCase(
      name: name, says: says, isKept: false, bytes: bytes, answer: .refused(reason))
  }
}

extension ConformanceCase {
  /// The member of `expected.json` for the case.
  var json: String {
    let (key, value) =
      switch answer {
      case .trace(let lines):
        ("answer", "[" + lines.map(Self.quoted).joined(separator: ",\n      ") + "]")
      case .refused(let reason): ("refused", Self.quoted(reason))
      }
    return """
        {"file": \(Self.quoted(name + ".fxt")),
          "says": \(Self.quoted(says)),
          "keeps": \(isKept),
          "\(key)": \(value)}
      """
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

extension ProfileSample {
  /// An unfinished recording of `chunks`.
  static func whole(_ chunks: Chunk...) -> [UInt8] { ProfileSample(state: 0, chunks: chunks).bytes }

  /// A finished recording of `chunks` that says how long it is (F-8).
  static func finished(_ chunks: Chunk...) -> [UInt8] {
    ProfileSample(saysSize: true, chunks: chunks).bytes
  }

  /// A chunk of thread 101 with `app` and `work` as the strings 1 and 2.
  static func chunk(
    _ sequence: UInt64 = 0, isSealed: Bool = false,
    _ records: @escaping @Sendable (inout FXTWriter) -> Void
  ) -> Chunk {
    Chunk(sequence: sequence, threadSequence: sequence, isSealed: isSealed) { writer in
      writer.appendString(1, "app")
      writer.appendString(2, "work")
      records(&writer)
    }
  }
}

extension FXTWriter {
  /// A complete event `app/work` of thread 1.
  mutating func work(_ start: UInt64, _ end: UInt64) {
    appendEvent(
      .complete(end: end), thread: .index(1), category: .index(1), name: .index(2), at: start)
  }

  /// An instant `app/work` of thread 1.
  mutating func mark(_ time: UInt64) {
    appendEvent(.instant, thread: .index(1), category: .index(1), name: .index(2), at: time)
  }
}
