import ScrollTraceReport
import Foundation
import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Real exports of xctrace, whose numbers are known.
@Suite(.needsExtraCases) struct XctraceCaseTests {
  private static func bytes(_ name: String) throws -> [UInt8] {
    let folder = try #require(ExtraCases.folder)
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/apple/\(name)")))
  }

  private static func trace(_ names: String...) throws -> Trace {
    try TraceFile.read(MemoryByteSource(try names.flatMap { try bytes($0) }))
  }

  private static func surface(
    _ trace: Trace, _ options: AnalysisOptions = AnalysisOptions()
  ) -> SurfaceAnalysis {
    TraceAnalyzer(options).analyze(trace).surfaces[0]
  }

  @Test func `E-19: twelve hitches of an iPhone 11 with iOS 18 are 2.767 ms/s`() throws {
    let trace = try Self.trace(
      "ios18-iphone11.toc.excerpt.xml", "ios18-iphone11.hitches-summary.xml")
    #expect(trace.losses.isEmpty)
    let surface = Self.surface(trace)
    #expect(surface.hitches.count == 12)
    #expect(surface.measuredTime.duration.nanoseconds == 72_453_746_000)
    #expect(try abs(#require(surface.hitchTime).milliseconds - 200.485) < 0.001)
    #expect(try abs(#require(surface.ratio).millisecondsPerSecond - 2.767) < 0.001)
    #expect(surface.counts.total == nil)
    #expect(surface.refreshIntervals.map(\.refreshInterval.nanoseconds) == [16_666_125])
    #expect(surface.hitches[0].sourceLabel == "Pre-Commit(s) latency, Moderate")
    #expect(surface.hitches[11].sourceLabel == "Commit to Render latency, Moderate")
  }

  @Test func `seven hitches of an iPhone Air with iOS 26 are 0.804 ms/s`() throws {
    let trace = try Self.trace("ios26-smooth.toc.xml", "ios26-smooth.hitches.xml")
    #expect(trace.losses.isEmpty)
    #expect(trace.surfaces.map(\.name) == ["FixIt"])
    #expect(trace.processes.map(\.isHost) == [true])
    let surface = Self.surface(trace)
    #expect(surface.hitches.count == 7)
    #expect(try abs(#require(surface.hitchTime).milliseconds - 75.027) < 0.001)
    #expect(try abs(#require(surface.ratio).millisecondsPerSecond - 0.804) < 0.001)
    #expect(surface.refreshIntervals.isEmpty)
  }

  @Test func `M-5: the marked steps of a test have their own ratios`() throws {
    let trace = try Self.trace("ios26-smooth.toc.xml", "ios26-smooth.hitches.xml")
    let steps = try #require(
      JSONSerialization.jsonObject(with: Data(try Self.bytes("ios26-smooth.steps.json")))
        as? [[String: Any]])
    var options = AnalysisOptions()
    for step in steps {
      let (from, to) = (step["from"] as? Double, step["to"] as? Double)
      options.interactions.append(
        AnalysisOptions.NamedRange(
          name: try #require(step["label"] as? String),
          from: TimeSpan(nanoseconds: Int64(try #require(from) * 1e9)),
          to: TimeSpan(nanoseconds: Int64(try #require(to) * 1e9))))
    }
    let surface = Self.surface(trace, options)
    #expect(surface.measuredTime.kind == .interaction)
    #expect(try abs(#require(surface.ratio).millisecondsPerSecond - 1.38) < 0.01)
  }

  @Test func `M-2: a list without its table of contents has hitches and no ratio`() throws {
    let trace = try Self.trace("ios26-smooth.hitches.xml")
    #expect(Self.surface(trace).hitches.count == 7)
    #expect(Self.surface(trace).ratio == nil)
    var options = AnalysisOptions()
    options.isAlwaysMoving = true
    #expect(Self.surface(trace, options).ratio == nil)
    #expect(!Self.surface(trace, options).isEvaluated)
    // Who names a stretch says that it was recorded, also behind the last hitch.
    options = AnalysisOptions()
    options.interactions = [
      AnalysisOptions.NamedRange(
        name: "all", from: .zero, to: TimeSpan(nanoseconds: 93_275_372_000))
    ]
    let ratio = try #require(Self.surface(trace, options).ratio)
    #expect(abs(ratio.millisecondsPerSecond - 0.804) < 0.001)
  }

  @Test func `a only a table of contents is rejected with the missing tables`() async {
    await forEachCase(of: ["ios18-iphone11.toc.excerpt.xml", "ios26-smooth.toc.xml"], oneCase)
    @Sendable func oneCase(name: String) throws {
      #expect {
        try Self.trace(name)
      } throws: {
        "\($0)".contains("only a table of contents") && "\($0)".contains("@schema=\"hitches")
      }
    }
  }

  @Test func `unsupported tables are named`() async {
    await forEachCase(of: [
      ("device-display-info", 2), ("display-surface-swap", 12), ("hitches-renders", 12),
      ("runloop-events", 12),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ schema: String, _ rows: Int) throws {
      let trace = try Self.trace("xcode27-\(schema).xml")
      #expect(trace.notices.contains(.source("unused rows: \(schema) (\(rows))")))
      #expect(trace.losses.isEmpty)
      #expect(TraceAnalyzer().analyze(trace).evaluatedPrimarySurface == nil)
    }
  }

  @Test func `the other tables are imported as their own kinds`() throws {
    let surfaces = try Self.trace(
      "xcode27-displayed-surfaces-interval.xml", "xcode27-display-vsyncs-interval.xml")
    #expect(surfaces.surfaces.map(\.name) == ["presented frames on Display 1"])
    #expect(surfaces.surfaces[0].frames.count == 12)
    let interval = try #require(surfaces.surfaces[0].frames[0].refreshInterval)
    #expect(abs(interval.milliseconds - 16.6667) < 0.001)

    let loops = try Self.trace("xcode27-runloop-intervals.xml")
    let main = try #require(loops.mainTrack)
    #expect(loops.tracks[main.index].systemID == 7046)
    #expect(loops.tracks[main.index].spans.count == 5)
    #expect(loops.processes.map(\.name) == ["Finder"])
    #expect(loops.losses.isEmpty)
    #expect(try Self.trace("xcode27-hang-risks.xml").marks.isEmpty)
  }
}
