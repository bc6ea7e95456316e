import Foundation
import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceSummary
import ScrollTraceTestSupport
import Testing

/// A fleet that keeps all sessions with many hitches and few of the others, from the recorder to sums.
struct KeptFleetTests {
  private static let count = ExtraCases.isThorough ? 2_000 : 400
  private static let oneIn = 8
  private static let limit = 40.0

  /// A session: two scrolls with a rest between them, on a display that drops refreshes after late commits.
  private struct Session {
    var interval: Int64 = 16_666_667
    /// The share of frames whose commit is late, in thousandths.
    var lateShare: UInt64 = 0
    var reportsPresentations = true
    var generator: SeededGenerator

    init(number: Int) {
      generator = SeededGenerator(seed: UInt64(number))
      if draw(2) == 0 { interval = 8_333_333 }
      reportsPresentations = draw(2) == 0
      // Most sessions have hitches now and then, some have many.
      lateShare = draw(10) == 0 ? 20 + draw(150) : draw(8)
    }

    mutating func draw(_ count: UInt64) -> UInt64 { generator.next(upperBound: count) }

    mutating func record(_ recorder: TraceRecorder) {
      var time = 1_000_000_000 + Int64(draw(1_000_000_000))
      for kind in [InteractionKind.drag, .deceleration] {
        let start = time + Int64(draw(3_000_000))
        recorder.setTime(start)
        let interaction = recorder.beginInteraction(kind)
        for _ in 0..<(20 + draw(25)) { time = recordFrame(from: time, recorder) }
        recorder.setTime(time + Int64(draw(UInt64(interval))))
        recorder.endInteraction(interaction)
        time += interval * (40 + Int64(draw(100)))
      }
    }

    /// Records a frame that starts at a refresh and returns the next refresh at which one can start.
    private mutating func recordFrame(from start: Int64, _ recorder: TraceRecorder) -> Int64 {
      let tick = FrameTiming(
        start: start, deadline: start + interval, target: start + 2 * interval,
        refreshInterval: interval)
      let isLate = draw(1000) < lateShare
      let length =
        1_000_000 + Int64(draw(UInt64(interval) - 2_000_000))
        + (isLate ? Int64(draw(UInt64(5 * interval))) : 0)
      recorder.setTime(start + 500_000)
      let frame = recorder.beginFrame(tick)
      recorder.setTime(start + length)
      frame.end()
      let refreshes = max(1, (length + interval - 1) / interval)
      if reportsPresentations {
        frame.markPresented(at: start + (refreshes + 1) * interval)
      }
      return start + refreshes * interval
    }
  }

  private static func options(_ number: Int) -> RecorderOptions {
    var options = RecorderOptions()
    options.clock = .manual(start: 0)
    options.session = SessionIdentifier(high: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, low: 7)
    return options
  }

  /// The digits of a session's identifier, which name its file.
  private static func name(_ number: Int) -> String {
    let id = options(number).session
    return [id.high, id.low].map { word in
      (0..<8).map { byte in
        let digits = String(UInt8(truncatingIfNeeded: word >> (8 * UInt64(byte))), radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }.joined()
    }.joined()
  }

  /// The figures of a session's summary that add up.
  private struct Figures {
    var values: [SummaryField: Double] = [:]
    var ratio = 0.0

    init(_ summary: TraceSummary) {
      for row in summary.rows.values {
        guard let all = row.scopes[SummaryScope.all] else { continue }
        for field in Self.fields {
          values[field, default: 0] += all[field].known.map { Double($0) } ?? 0
        }
      }
      if let late = values[.hitchTime], let whole = values[.motion], whole > 0 {
        ratio = late / whole * 1000
      }
    }

    static let fields = [SummaryField.motion, .hitchTime, .hitches, .frames, .over5]
  }

  /// Records a session in memory and sums it up.
  private static func figures(_ number: Int) throws -> Figures {
    let recorder = try TraceRecorder(to: .memory, options: options(number))
    var session = Session(number: number)
    session.record(recorder)
    try recorder.finish()
    let trace = try TraceFile.read(#require(recorder.recordedBytes))
    return Figures(TraceAnalyzer().summarize(trace))
  }

  @Test(.needsTime)
  func `sums of the kept sessions are those of all within their statistical error`() throws {
    let folder = TemporaryFolder()
    var all: [String: Figures] = [:]
    var generator = SeededGenerator(seed: 99)
    for number in 0..<Self.count {
      all[Self.name(number)] = try Self.figures(number)
      var options = Self.options(number)
      options.traceSampling = TraceSampling(
        keepingOneIn: Self.oneIn, alwaysAboveHitchRatio: Self.limit)
      options.draw = generator.next()
      let recorder = try TraceRecorder(
        writingTo: "\(folder.path)/\(Self.name(number)).fxt", options: options)
      var session = Session(number: number)
      session.record(recorder)
      try recorder.finish()
    }
    let run = try CommandProcess(["summarize", ".", "--jobs", "2"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    var sum = TraceSummary.zero
    var weights: [String: Double] = [:]
    for line in run.output.split(separator: "\n") {
      let summary = try TraceSummary(line: String(line))
      let row = try #require(summary.rows.values.first)
      let session = try #require(row.identity?.session)
      // The line leads to its trace.
      #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(session).fxt"))
      weights[session] = Double(row[.weight])
      sum += summary
    }
    try checkChoice(all, weights)
    checkSums(all, of: Figures(sum), weight: weights.values.reduce(0, +), weights)
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(kept.count == weights.count && kept.count < Self.count / 2)
  }

  @Test func `inspect and the flag take the weight of a trace into account`() throws {
    let folder = TemporaryFolder()
    // A recording that is named after the UUID from which its identifier was made.
    let uuid = UUID()
    let name = uuid.uuidString.filter { $0 != "-" }.lowercased()
    var options = RecorderOptions()
    options.session = withUnsafeBytes(of: uuid.uuid) {
      SessionIdentifier(
        high: UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)),
        low: UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
    options.clock = .manual(start: 0)
    options.traceSampling = TraceSampling(keepingOneIn: 8, alwaysAboveHitchRatio: 1000)
    options.draw = 0
    let recorder = try TraceRecorder(writingTo: "\(folder.path)/\(name).fxt", options: options)
    var session = Session(number: 1)
    session.record(recorder)
    try recorder.finish()
    let inspection = try CommandProcess(["inspect", "\(name).fxt"], in: folder.path)
    #expect(inspection.output.contains("  Session  \(name), process"))
    #expect(inspection.output.contains("  Weight   stands for 8 recordings\n"))
    let json = try CommandProcess(["inspect", "--format", "json", "\(name).fxt"], in: folder.path)
    try JSONNode(json.output).expect(["session.weight": 8])
    let run = try CommandProcess(["summarize", "\(name).fxt", "--weight", "5"], in: folder.path)
    let line = try TraceSummary(line: String(run.output.dropLast()))
    #expect(line.rows.values.map { $0[.weight] } == [40])
  }

  /// Every session over the limit is there and stands for itself, and few others do.
  private func checkChoice(_ all: [String: Figures], _ weights: [String: Double]) throws {
    let over = all.filter { $0.value.ratio > Self.limit }
    #expect(over.count > Self.count / 10 && over.count < Self.count / 2)
    #expect(over.allSatisfy { weights[$0.key] == 1 })
    let below = weights.filter { $0.value == 1 && over[$0.key] == nil }
    #expect(below.count < over.count / 10, "\(below.count) of \(over.count)")
    #expect(weights.values.allSatisfy { $0 == 1 || $0 == Double(Self.oneIn) })
  }

  private func checkSums(
    _ all: [String: Figures], of kept: Figures, weight: Double, _ weights: [String: Double]
  ) {
    let drawn = all.filter { weights[$0.key] != 1 }
    func isClose(_ sum: Double, to truth: Double, _ value: (Figures) -> Double) -> Bool {
      // Each session below the limit is there with probability 1 / n and counts n times.
      let variance =
        drawn.values.reduce(0) { $0 + value($1) * value($1) }
        * Double(Self.oneIn - 1)
      return abs(sum - truth) <= 3 * variance.squareRoot()
    }
    #expect(isClose(weight, to: Double(all.count)) { _ in 1 })
    for field in Figures.fields {
      func value(_ figures: Figures) -> Double { figures.values[field] ?? 0 }
      let truth = all.values.reduce(0) { $0 + value($1) }
      let sum = value(kept)
      #expect(truth > 0)
      #expect(isClose(sum, to: truth, value), "\(field): \(sum) for \(truth)")
      // Without weights, sums to which all sessions contribute alike would be far off.
      let bare = all.reduce(0) { $0 + (weights[$1.key] == nil ? 0 : value($1.value)) }
      if field == .motion || field == .frames { #expect(!isClose(bare, to: truth, value)) }
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func next(upperBound: UInt64) -> UInt64 {
    next().multipliedFullWidth(by: upperBound).high
  }
}
