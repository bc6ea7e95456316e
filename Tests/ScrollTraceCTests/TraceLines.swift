import Foundation
import ScrollTraceImport
import ScrollTraceModel

/// A trace as lines that tests compare.
struct TraceLines {
  let trace: Trace

  init(_ path: String) throws {
    trace = try TraceFile.open(path)
  }

  /// All spans of stacks: `track: category/name key=value …`.
  var spans: [String] {
    trace.tracks.flatMap { track in
      (0..<track.spans.count).map { index in
        let span = track.spans[index]
        return "\(track.name): " + line(span.label, span.arguments)
      }
    }
  }

  /// The spans of a thread, without the system's own counts at the start of a frame.
  func spans(of thread: String) -> [String] {
    spans.filter { $0.hasPrefix(thread + ": ") }.map { $0.components(separatedBy: " cpu=")[0] }
  }

  /// All spans of no stack.
  var asyncSpans: [String] { trace.asyncSpans.map { line($0.label, $0.arguments) } }

  var marks: [String] { trace.marks.map { line($0.label, $0.arguments) } }

  /// All samples of counters: `name=value`.
  var samples: [String] {
    trace.counters.flatMap { counter in
      counter.values.map { "\(trace.name(of: counter.label))=\($0)" }
    }
  }

  /// All states: `key=value`.
  var states: [String] { trace.states.map { "\($0.key)=\($0.value ?? "-")" } }

  private func line(_ label: LabelID, _ arguments: ArgumentListID) -> String {
    let words = trace.arguments[arguments].map { argument in
      "\(trace.strings[argument.key])=\(text(argument.value))"
    }
    return (["\(trace.category(of: label))/\(trace.name(of: label))"] + words)
      .joined(separator: " ")
  }

  private func text(_ value: ArgumentValue) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .double(let number): "\(number)"
    case .bool(let flag): "\(flag)"
    case .string(let id): trace.strings[id]
    case .null: "null"
    }
  }
}
