import ScrollTraceModel
import ScrollTraceTestSupport
import ScrollTraceSummary
import Testing

@testable import ScrollTraceAnalysis

@Suite struct StateTests {
  /// A drag at 60 Hz whose first second is smooth and in state "a"; of the rest nothing is known.
  private func states(smooth frames: Int, unknown length: TimeSpan) -> [StateAnalysis] {
    var builder = TraceBuilder(format: "drawn")
    let surface = builder.surface("display")
    let interval = TimeSpan(nanoseconds: 16_666_667)
    for index in 0..<frames {
      builder.updateFrame(
        index, of: surface, presented: .zero + interval * Int64(index), refreshInterval: interval)
    }
    let middle = Timestamp.zero + interval * Int64(frames)
    builder.addState(StateChange(time: .zero, key: "screen", value: "a"))
    builder.addState(StateChange(time: middle, key: "screen", value: "b"))
    builder.extend(to: middle + length)
    builder.addInteraction(from: .zero, to: middle + length)
    return TraceAnalyzer().analyze(builder.finish()).surfaces.first?.states ?? []
  }

  @Test
  func `M-24: a state with too much unknown is uncertain, the other states are not`() throws {
    let states = states(smooth: 120, unknown: .milliseconds(2_000))
    try #require(states.map(\.value) == ["a", "b"])
    #expect(states[0].rated(by: .scroll).rating == .good)
    #expect(states[1].rated(by: .scroll).rating == .notMeasurable)
    let ledger = try #require(states[1].ledger)
    #expect(ledger.unknownShare > 0.9)
  }

  @Test func `M-24: a state with few frames in a short time is uncertain`() throws {
    let states = states(smooth: 12, unknown: .milliseconds(2_000))
    let rated = try #require(states.first).rated(by: .scroll)
    #expect(rated.rating == .uncertain)
  }

  @Test func `M-5: a state has the part of a hitch in its own time`() throws {
    // A hang of 4 s, in whose last 100 ms the screen changes.
    var builder = TraceBuilder(format: "drawn")
    let surface = builder.surface("display")
    func time(_ milliseconds: Int64) -> Timestamp { .zero + .milliseconds(milliseconds) }
    for (index, shown) in [Int64(0), 10, 4_010, 4_020].enumerated() {
      builder.updateFrame(
        index, of: surface, start: time(shown), presented: time(shown),
        refreshInterval: .milliseconds(10))
    }
    builder.addState(StateChange(time: .zero, key: "screen", value: "list"))
    builder.addState(StateChange(time: time(3_910), key: "screen", value: "detail"))
    builder.addInteraction(from: .zero, to: time(4_030))
    let analyzed = try #require(TraceAnalyzer().analyze(builder.finish()).surfaces.first)
    #expect(analyzed.hitchTime == .milliseconds(3_990))
    #expect(analyzed.states.map(\.value) == ["detail", "list"])
    #expect(analyzed.states.map(\.hitchTime) == [.milliseconds(100), .milliseconds(3_890)])
    #expect(analyzed.states.map(\.counts.hitches) == [1, 0])
    for state in analyzed.states { #expect(state.ledger?.repeated == state.hitchTime) }
  }

  @Test func `sums of many traces divide work by states that change in motion`() throws {
    var builder = TraceBuilder(format: "drawn")
    builder.updateFrame(
      1, of: builder.surface("display"), presented: .zero + .milliseconds(150),
      refreshInterval: .milliseconds(10))
    let main = builder.mainThread(isHost: true)
    func time(_ milliseconds: Int64) -> Timestamp { .zero + .milliseconds(milliseconds) }
    let label = builder.label(category: "", name: "work")
    builder.addSpan(on: main, from: time(200), to: time(600), label: label)
    builder.addState(StateChange(time: .zero, key: "screen", value: "list"))
    builder.addState(StateChange(time: time(500), key: "screen", value: "detail"))
    builder.addInteraction(from: time(100), to: time(900))
    let lines = TraceAnalyzer().summarize(builder.finish()).lines.joined()
    #expect(lines.contains("\"scope\":\"state:screen=list\""))
    #expect(lines.contains("\"mainRunningNs\":300000000"))
    #expect(lines.contains("\"mainRunningNs\":100000000"))
  }
}
