import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

@Suite struct XctraceSampleTests {
  private static let path = PackageFiles.sample("Foreign/hitches.xml")

  @Test func `the sample holds an app's hitches, the system's, and a hang`() throws {
    let trace = try TraceFile.open(Self.path)
    #expect(trace.source.format == "xctrace")
    #expect(trace.losses.isEmpty)
    #expect(trace.notices == [.source("unused rows: hitches-gpu (1)")])
    #expect(trace.range.length.nanoseconds == 8_000_000_000)
    #expect(trace.source.hasKnownLength)
    #expect(trace.surfaces.map(\.name) == ["Feed", "system"])
    #expect(trace.surfaces.map(\.basis) == [.hitchList, .hitchList])
    let hitches = trace.surfaces[0].listedHitches
    #expect(
      hitches.map(\.length.nanoseconds) == [16_666_667, 33_333_334, 16_666_667, 200_000_004])
    #expect(
      hitches.map { $0.refreshInterval?.nanoseconds } == Array(repeating: 16_666_667, count: 4))
    let narratives = hitches.map { $0.sourceLabel.map { trace.strings[$0] } }
    #expect(narratives[0] == "Potentially expensive app update(s)")
    #expect(narratives[1] == .some(nil))
    #expect(trace.surfaces[1].listedHitches.count == 1)
    let main = try #require(trace.mainTrack)
    #expect(trace.tracks[main.index].name == "Main Thread")
    #expect(trace.tracks[main.index].systemID == 0x1a2b)
    #expect(trace.tracks[main.index].spans.count == 1)
    #expect(trace.name(of: trace.tracks[main.index].spans[0].label) == "Brief Unresponsiveness")
    #expect(trace.processes.map(\.name) == ["Feed"])
    #expect(trace.processes.map(\.isHost) == [true])
  }

  @Test func `M-2: without its table of contents a list has no length`() throws {
    let trace = try read(Array(XctraceSample.tables().utf8))
    #expect(!trace.source.hasKnownLength)
    #expect(trace.range.start == .zero)
    #expect(trace.says("does not contain the recorded time"))
    #expect(trace.surfaces.map(\.name) == ["Feed", "system"])
  }

  @Test func `the order of its documents does not matter`() throws {
    let named = try TraceFile.open(Self.path)
    let trace = try read(XctraceSample.tables() + XctraceSample.contents())
    #expect(trace.source.format == "xctrace")
    #expect(trace.range == named.range)
    #expect(trace.surfaces.map(\.listedHitches) == named.surfaces.map(\.listedHitches))
  }
}
