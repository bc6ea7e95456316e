import Foundation
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Executes the examples of the specification.
@Suite struct SpecificationTests {
  /// A block marked `fxt`: bytes, and what a reader makes of them.
  struct Example: Sendable, CustomTestStringConvertible {
    let line: Int
    let bytes: [UInt8]
    let meaning: [String]
    var testDescription: String { "line \(line)" }
  }

  static let text =
    (try? PackageFiles.text("Sources/ScrollTraceLayout/ScrollTraceLayout.docc/FileFormat.md")) ?? ""

  static let examples: [Example] = {
    var examples: [Example] = []
    let lines = text.components(separatedBy: "\n")
    for (start, line) in lines.enumerated() where line == "```fxt" {
      let block = lines[(start + 1)...].prefix { $0 != "```" }
      let parts = block.split(separator: "=>", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let bytes = parts[0].flatMap { line in
        line.prefix { $0 != ";" }.matches(of: /[0-9a-f]{2}/).compactMap {
          UInt8($0.output, radix: 16)
        }
      }
      examples.append(Example(line: start + 1, bytes: bytes, meaning: Array(parts[1])))
    }
    return examples
  }()

  @Test func `the specification has examples`() {
    #expect(Self.examples.count == 13)
  }

  @Test func `each example has the meaning given below it`() async {
    await forEachCase(of: Self.examples, oneCase)
    @Sendable func oneCase(example: Example) throws {
      var magic = FXTWriter()
      magic.appendMagic()
      let isWhole = example.bytes.starts(with: magic.bytes)
      let trace = try readTrace(isWhole ? example.bytes : magic.bytes + example.bytes)
      #expect(trace.dump == example.meaning)
    }
  }

  @Test func `every rule has its number once`() {
    let rules = (1...9).map { "F-\($0)" } + (1...9).map { "W\($0)" } + (1...17).map { "R\($0)" }
    for rule in rules {
      #expect(Self.text.components(separatedBy: "**\(rule)**").count == 2, "\(rule)")
    }
  }

  @Test func `the tables of the specification match the layout`() {
    typealias Layout = RecordingLayout
    #expect(Layout.pageSize == 4_096)
    #expect(Layout.chunkSize == 32_760)
    #expect(Layout.sessionPayloadOffset == 40)
    #expect(Layout.Session.stop == 168)
    #expect(Layout.chunkPayloadOffset == 56)
    #expect(Layout.Chunk.size == 64)
    #expect(Layout.stacksPayloadOffset == 152)
    #expect(Layout.Slot.size == 1_048)
    #expect(Layout.Seal.recordSize == 40)
  }
}

extension Trace {
  /// The trace line by line, as the specification writes it.
  var dump: [String] {
    var lines = processes.filter { !$0.name.isEmpty }.map { "process \($0.systemID) \($0.name)" }
    lines += tracks.filter { !$0.name.isEmpty }.map { "thread \($0.systemID) \($0.name)" }
    for surface in surfaces { lines += surface.frames.map { "frame \(surface.name) \($0.dump)" } }
    for track in tracks {
      for index in 0..<track.spans.count {
        let span = track.spans[index]
        let words =
          [
            "span \(track.systemID) \(text(of: span.label))",
            "\(span.range.start.nanoseconds)...\(span.range.end.nanoseconds)",
          ] + text(of: span.arguments)
        lines.append(words.joined(separator: " "))
      }
    }
    lines += marks.map {
      "mark \(tracks[$0.track.index].systemID) \(text(of: $0.label)) \($0.time.nanoseconds)"
    }
    for counter in counters {
      let samples = zip(counter.values, counter.times).map { "\($0)@\($1)" }
      lines.append(
        "counter \(text(of: counter.label)) \(strings[counter.series]) "
          + samples.joined(separator: " "))
    }
    lines += interactions.map {
      "interaction \($0.kind) \($0.start.nanoseconds)...\($0.end?.nanoseconds ?? -1)"
    }
    lines += openSpans.map {
      let track = tracks[$0.track.index].systemID
      return "open \(track) \(text(of: $0.label)) since \($0.since.nanoseconds)"
    }
    for series in samples {
      lines += series.times.indices.map { index in
        let path = stackTree.path(of: series.stack(at: index)).map { strings[$0.name] }
        return "sample \(tracks[series.track.index].systemID) "
          + "\(path.joined(separator: " > "))@\(series.times[index])"
      }
    }
    lines += losses.map { "loss \($0.reason.rawValue) \($0.count)" }
    return lines.isEmpty ? ["nothing"] : lines
  }

  private func text(of label: LabelID) -> String { "\(category(of: label))/\(name(of: label))" }
}

extension Frame {
  /// What is known of the frame.
  fileprivate var dump: String {
    var words = ["\(id)"]
    if let start { words.append("begin=\(start.nanoseconds)") }
    if let commitStart, let commitEnd {
      words.append("commit=\(commitStart.nanoseconds)...\(commitEnd.nanoseconds)")
    }
    if let deadline { words.append("deadline=\(deadline.nanoseconds)") }
    if let target { words.append("target=\(target.nanoseconds)") }
    if let presented { words.append("presented=\(presented.nanoseconds)") }
    return words.joined(separator: " ")
  }
}
