import Foundation
import Testing

/// A trace as lines of JSON, as a host would print it; times in nanoseconds.
struct LineTrace {
  /// 60 Hz.
  static let refresh = 16_666_667
  static let millisecond = 1_000_000

  private var lines: [String]

  init(end: Int, drag: Range<Int>? = nil) {
    lines = [#"{"scrolltrace":"ndjson/1","unit":"ns","begin":0,"end":\#(end)}"#]
    guard let drag else { return }
    let (begin, end) = (drag.lowerBound, drag.upperBound)
    lines.append(#"{"interaction":"drag","begin":\#(begin),"end":\#(end)}"#)
  }

  mutating func add(_ line: String) { lines.append(line) }

  mutating func span(
    _ name: String, _ start: Int, _ end: Int, category: String = "work", thread: String = "main"
  ) {
    lines.append(
      #"{"span":"\#(name)","category":"\#(category)","thread":"\#(thread)","begin":\#(start),"#
        + #""end":\#(end)}"#)
  }

  /// A frame whose times are named as in the lines; what is negative is left out.
  mutating func frame(_ number: Int, _ times: [(String, Int)], interval: Int = Self.refresh) {
    let known = times.filter { $0.1 >= 0 }.map { #""\#($0.0)":\#($0.1)"# }
    let all = [#""frame":\#(number)"#, #""interval":\#(interval)"#] + known
    lines.append("{" + all.joined(separator: ",") + "}")
  }

  /// A frame whose commit starts with it.
  mutating func frame(
    _ number: Int, from begin: Int, to end: Int, due: Int? = nil, target: Int? = nil,
    shown: Int? = nil, interval: Int = Self.refresh
  ) {
    let times = [
      ("begin", begin), ("commitStart", begin), ("commitEnd", end), ("deadline", due ?? -1),
      ("target", target ?? -1), ("presented", shown ?? -1),
    ]
    frame(number, times, interval: interval)
  }

  /// What a source of smooth frames knows.
  enum Basis: String, CaseIterable {
    case target, deadline
    case cadencePresented = "cadence-p"
    case cadenceBegin = "cadence-b"

    /// How many refreshes it takes from a frame's start to its picture.
    var way: Int {
      switch self {
      case .target, .cadencePresented: 2
      case .deadline: 1
      case .cadenceBegin: 0
      }
    }

    /// The name of the basis in a report.
    var name: String { self == .target || self == .deadline ? rawValue : "cadence" }
  }

  /// Frames that start a refresh apart and take 5 ms each.
  mutating func smooth(_ basis: Basis, _ count: Int, from start: Int = 0, number first: Int = 0) {
    for index in 0..<count {
      let begin = start + index * Self.refresh
      let shown = begin + 2 * Self.refresh
      frame(
        first + index, from: begin, to: begin + 5 * Self.millisecond,
        due: basis == .deadline ? begin + Self.refresh : nil,
        target: basis == .target ? shown : nil,
        shown: basis == .target || basis == .cadencePresented ? shown : nil)
    }
  }

  /// The file's text.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// The report on the file.
  func analyze(_ arguments: [String] = []) throws -> AnalyzeRun {
    let file = try TemporaryFile("lines.ndjson", text)
    return try AnalyzeRun(arguments + [file.path])
  }
}
