import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

@Suite struct PerfettoSampleTests {
  private static let path = PackageFiles.sample("Foreign/android-feed.pftrace")

  @Test func `M-2: frames of an app have the deadline that Android gave them`() throws {
    let trace = try TraceFile.open(Self.path)
    #expect(trace.source.format == "perfetto")
    #expect(trace.losses.isEmpty)
    #expect(
      trace.surfaces.map(\.name) == ["com.example.feed", "surfaceflinger (compositor)"])
    #expect(trace.surfaces.map(\.basis) == [.deadline, .deadline])
    #expect(trace.surfaces.map(\.frames.count) == [29, 29])
    let frame = trace.surfaces[0].frames[9]
    #expect(frame.id == 109)
    #expect(frame.start?.nanoseconds == 1_150_000_003)
    #expect(frame.commitStart?.nanoseconds == 1_150_200_003)
    #expect(frame.deadline?.nanoseconds == 1_166_666_670)
    #expect(frame.commitEnd?.nanoseconds == 1_180_000_003)
    #expect(frame.refreshInterval?.nanoseconds == 16_666_667)
    #expect(frame.outcome == .presented)
    #expect(frame.sourceLabel.map { trace.strings[$0] } == "App Deadline Missed")
    #expect(frame.target == nil && frame.presented == nil)
  }

  @Test func `M-2: a late commit that Android reports as presented on time is kept`() throws {
    let frames = try TraceFile.open(Self.path).surfaces[0].frames
    let late = (0..<frames.count).map { frames[$0] }.filter { frame in
      guard let end = frame.commitEnd, let deadline = frame.deadline else { return false }
      return end > deadline
    }
    #expect(late.map(\.id) == [109, 113, 117])
    #expect(late.map(\.wasOnTime) == [false, true, false])
  }

  @Test func `the app's work is on its threads`() throws {
    let trace = try TraceFile.open(Self.path)
    let main = try #require(trace.mainTrack)
    #expect(trace.tracks.count == 2)
    #expect(trace.tracks.map(\.name).contains("RenderThread"))
    let spans = trace.tracks[main.index].spans
    let names = Set(spans.labels.map { trace.name(of: $0) })
    #expect(names.isSuperset(of: ["RV Scroll", "RV OnBindView", "Choreographer#doFrame"]))
    #expect(trace.openSpans.isEmpty)
    #expect(trace.surfaces[0].frames[0].track == main)
  }

  @Test func `a discarded frame has no end`() throws {
    let trace = try TraceFile.open(Self.path)
    let dropped = try #require(
      (0..<29).map { trace.surfaces[0].frames[$0] }.first { $0.outcome == .dropped })
    #expect(dropped.id == 123)
    #expect(dropped.commitEnd == nil)
    #expect(dropped.sourceLabel.map { trace.strings[$0] } == "Dropped Frame")
  }
}
