import Foundation
import ScrollTraceKit
import ScrollTraceTestSupport
import Testing

/// Returns a report on a trace, and whether it meets a budget.
func summary(ofTraceAt path: String) throws(ImportError) -> (text: String, passed: Bool) {
  let trace = try TraceFile.open(path)
  var options = AnalysisOptions()
  options.thresholds = .organizer
  let analysis = TraceAnalyzer(options).analyze(trace)
  let results = analysis.results
  var lines: [String] = []
  for surface in results.surfaces {
    let ratio = surface.hitchTimeRatio.map { "\($0) ms/s" } ?? "unknown"
    lines.append("\(surface.name): \(surface.hitches.count) hitches, \(ratio)")
    for hitch in surface.hitches.prefix(3) {
      lines.append("  \(hitch.kind): \(hitch.length.milliseconds) ms")
    }
  }
  lines += results.findings.map(\.title) + results.notices.map(\.text)
  let budget = try Budget(json: #"{"thresholds": "xcode-organizer", "limits": {"hitches": 10}}"#)
  let verdict = budget.verdict(on: [analysis])
  let report = TextRenderer().render(Report([analysis], verdict: verdict))
  return (lines.joined(separator: "\n") + "\n" + report, verdict.status == .passed)
}

/// Returns the hitch time of drags in milliseconds, and whether it is at most 12 ms.
func hitchTimeOfDrags(in analysis: Analysis) -> (time: Double?, passed: Bool) {
  let drags = MetricSubject.interaction("drag")
  let time = analysis.value(of: .hitchTime, for: drags).map { $0 / 1e6 }
  let rule = Budget.Rule(subject: drags, limits: [Budget.Limit(.hitchTime, 12_000_000)])
  return (time, Budget(rules: [rule]).verdict(on: [analysis]).status == .passed)
}

/// Returns the longest time that a cell was configured for an item, or `nil` if none was.
func longestConfiguration(of item: String, in trace: Trace) -> TimeSpan? {
  let spans = trace.tracks.flatMap { track in
    track.spans.filter { trace.category(of: $0) == "scrolltrace.cell" }
  }
  return spans.filter {
    trace.name(of: $0) == "configure" && trace.argument("item", of: $0) == item
  }.map(\.range.length).max()
}

/// Returns a trace as a file for ui.perfetto.dev, and what the file cannot hold.
func perfettoFile(ofTraceAt path: String) throws(ImportError) -> (bytes: [UInt8], omitted: String) {
  let file = try TraceFile.open(path).converted(to: .perfetto)
  return (file.bytes, file.omissions)
}

/// The examples of the guide to the library, with the one import that they need.
@Suite struct KitExampleTests {
  private static let guide = "Sources/ScrollTraceKit/ScrollTraceKit.docc/UsingTheLibrary.md"

  private static func examples() throws -> [String] {
    try PackageFiles.blocks(of: "swift", in: guide)
  }

  @Test func `the guide's examples are those executed here`() throws {
    let file = try PackageFiles.text("Tests/ScrollTraceCLITests/KitExampleTests.swift")
    let examples = try Self.examples()
    #expect(examples.count == 4)
    for example in examples {
      let code = example.replacing("import ScrollTraceKit\n", with: "", maxReplacements: 1)
      #expect(file.contains(code), "\(code)")
    }
    let result = try summary(ofTraceAt: PackageFiles.sample("feed-smooth.fxt"))
    #expect(result.passed && result.text.contains("0 hitches"), "\(result.text)")
  }

  @Test func `each example compiles against the library alone`() throws {
    let modules = try PublicInterface.modules()
    for (index, example) in try Self.examples().enumerated() {
      let file = FileManager.default.temporaryDirectory
        .appendingPathComponent(
          "example-\(ProcessInfo.processInfo.processIdentifier)-\(index).swift")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data(example.utf8).write(to: file)
      #expect(try PublicInterface.typeCheck(file, modules) == "")
      // What is not public is not there.
      try Data("import ScrollTraceKit\nlet id = TrackID(index: 0)\n".utf8).write(to: file)
      #expect(try PublicInterface.typeCheck(file, modules).contains("error: "))
    }
  }

  @Test func `a trace is read by names and times`() throws {
    let trace = try TraceFile.open(PackageFiles.sample("feed-commit-hitches.fxt"))
    let time = try #require(longestConfiguration(of: "10118", in: trace))
    #expect(time == TimeSpan(nanoseconds: 5_900_000))
    #expect(longestConfiguration(of: "no such item", in: trace) == nil)
    #expect(trace.format == "fxt" && trace.path.hasSuffix("feed-commit-hitches.fxt"))
    let main = try #require(trace.tracks.first { $0.isMain })
    #expect(main.name == "main" && main.spans.count > 100)
    let shown = trace.marks.filter { trace.name(of: $0) == "willDisplay" }
    #expect(shown.allSatisfy { trace.category(of: $0) == "scrolltrace.cell" })
    let first = try #require(shown.first)
    #expect(trace.argument("item", of: first) == "10120")
    #expect(shown.allSatisfy { $0.time >= trace.range.start && $0.time <= trace.range.end })
    let drag = try #require(trace.interactions.first)
    #expect(drag.kind == "drag" && drag.name == "" && drag.end.map { $0 > drag.start } == true)
    for change in trace.states { #expect(!change.key.isEmpty && change.time >= trace.range.start) }
    let surface = try #require(trace.surfaces.first)
    let frames = surface.frames
    #expect(surface.name == "display" && frames.count > 100 && frames.startIndex == 0)
    #expect(frames.endIndex == frames.count && main.spans.endIndex == main.spans.count)
    #expect(frames.contains { $0.outcome == .presented })
    for frame in frames {
      guard let start = frame.commitStart, let end = frame.commitEnd else { continue }
      #expect(start <= end && frame.refreshInterval?.milliseconds.rounded() == 17)
    }
    let counter = try #require(trace.counters.first)
    let samples = counter.samples
    #expect(!trace.name(of: counter).isEmpty && samples.count > 1)
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(samples.contains { $0.value > 0 })
  }

  @Test func `a limit in code and a value of a metric agree`() throws {
    let trace = try TraceFile.open(PackageFiles.sample("feed-commit-hitches.fxt"))
    let result = hitchTimeOfDrags(in: TraceAnalyzer().analyze(trace))
    #expect(try #require(result.time) > 12 && !result.passed)
  }

  @Test func `a converted trace is read again`() throws {
    let path = PackageFiles.sample("feed-commit-hitches.fxt")
    let file = try perfettoFile(ofTraceAt: path)
    let copy = try TraceFile.read(file.bytes, path: "copy")
    let trace = try TraceFile.open(path)
    let count = trace.surfaces.first?.frames.count
    #expect(!copy.surfaces.isEmpty && copy.surfaces.allSatisfy { $0.frames.count == count })
    let lines = trace.converted(to: .ndjson)
    #expect(lines.omissions == "54 flow points")
    let read = try TraceFile.read(lines.bytes, path: "lines")
    #expect(longestConfiguration(of: "10118", in: read)?.milliseconds == 5.9)
    #expect(trace.converted(to: .chromeJSON).bytes.first == UInt8(ascii: "{"))
  }

  @Test func `an error says where and why`() throws {
    let missing = try #require(throws: ImportError.self) { try TraceFile.open("/no/such\u{7}file") }
    #expect(missing.path == "/no/such\u{7}file" && missing.errorNumber == ENOENT)
    #expect(missing.offset == nil && missing.reason.hasPrefix("cannot be opened: "))
    #expect(missing.description.hasPrefix("/no/such\u{FFFD}file: cannot be opened: "))
    let broken = try #require(throws: ImportError.self) { try Budget(json: "{\"limits\": }") }
    #expect(broken.path == "" && broken.errorNumber == nil && broken.offset == 11)
    let empty = try #require(throws: ImportError.self) { try TraceFile.read([]) }
    #expect(empty.reason == "is empty" && empty.advice == "")
  }
}
