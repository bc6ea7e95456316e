import ScrollTraceModel
import Testing

@testable import ScrollTraceAnalysis

/// M-26: what sampled stacks say about windows.
@Suite struct SampleTests {
  /// A main thread with a span, and samples of call paths, outermost first. A function whose name begins
  /// with a capital is the app's.
  static func trace(
    _ samples: [(time: Int64, path: [String])], reach: SampleSeries.Reach = .middle,
    span: (start: Int64, end: Int64)? = nil
  ) -> Trace {
    var builder = TraceBuilder(format: "test")
    let main = builder.track(7, of: builder.process(7))
    builder.setMain(main)
    builder.extend(to: .zero)
    builder.extend(to: Timestamp(clamping: 1000))
    if let span {
      builder.addSpan(
        on: main, from: Timestamp(clamping: span.start), to: Timestamp(clamping: span.end),
        label: builder.label(category: "app", name: "load"))
    }
    let series = builder.sampleSeries(of: main, reach: reach)
    for sample in samples {
      var stack = StackID.empty
      for name in sample.path {
        let isOwn = name.first?.isUppercase == true
        let place = isOwn ? builder.string("app") : .empty
        let function = builder.sampledFunction(builder.string(name), in: place)
        stack = builder.stack(of: function, calledBy: stack) ?? .empty
      }
      builder.addSample(of: stack, at: Timestamp(clamping: sample.time), to: series)
    }
    return builder.finish()
  }

  /// A sample in the middle of each twentieth of the trace.
  static func samples(_ path: (Int) -> [String]) -> [(time: Int64, path: [String])] {
    (0..<20).map { (time: Int64($0) * 50 + 25, path: path($0)) }
  }

  static func account(_ trace: Trace) throws -> SampleAccount {
    try #require(TraceAnalyzer().analyze(trace).samples).measured
  }

  @Test func `cells reach to the middles, and with a period at most that far`() throws {
    let samples: [(Int64, [String])] = [(100, ["a"]), (201, ["b"]), (800, ["a"])]
    let middle = Self.trace(samples).samples[0]
    var found: [[Int64]] = []
    let window = TimeRange(start: .zero, end: Timestamp(clamping: 1000))
    SampleCells(middle).forEach(in: window) { found.append([Int64($0), $1, $2]) }
    // Gaps of 101 and 599: the upper of two is the one in the middle.
    #expect(found == [[0, 0, 150], [1, 150, 500], [2, 500, 1000]])
    found = []
    SampleCells(middle, reach: .period(60)).forEach(in: window) {
      found.append([Int64($0), $1, $2])
    }
    #expect(found == [[0, 0, 150], [1, 150, 261], [2, 740, 1000]])
  }

  @Test func `cells and the rest add up to the window, and spans share them out`() throws {
    let samples = Self.samples { $0 < 10 ? ["main", "f"] : ["main", "g", "f"] }
    let account = try Self.account(Self.trace(samples, span: (260, 740)))
    #expect(account.length.nanoseconds == 1000 && account.samples == 20)
    #expect(account.sampled.nanoseconds == 1000 && account.notSampled == .zero)
    #expect(account.rows.map(\.name) == [nil, "load"])
    #expect(account.rows.map(\.time.nanoseconds) == [520, 480])
    for row in account.rows {
      #expect(row.paths.reduce(0) { $0 + $1.time.nanoseconds } == row.time.nanoseconds)
    }
    #expect(account.functions.first?.name == "f")
    #expect(account.functions.first?.own.nanoseconds == 1000)
    #expect(account.functions.first { $0.name == "g" }?.total.nanoseconds == 500)
  }

  @Test func `a function that calls itself counts once per sample`() throws {
    let account = try Self.account(Self.trace(Self.samples { _ in ["f", "g", "f", "f"] }))
    #expect(account.functions.map(\.name) == ["f", "g"])
    #expect(account.functions.map(\.total.nanoseconds) == [1000, 1000])
    #expect(account.functions.map(\.own.nanoseconds) == [1000, 0])
  }

  @Test func `call paths that differ in how often a function calls itself are one`() throws {
    let account = try Self.account(
      Self.trace(
        (0..<40).map {
          let sort = Array(repeating: "merge", count: 1 + Int($0 % 8))
          let inner = $0 % 2 == 0 ? ["compare"] : []
          return (Int64($0) * 25, ["main", "loop", "loop", "rank"] + sort + inner)
        }))
    let paths = account.rows[0].paths
    #expect(
      paths.map(\.functions) == [
        ["main", "loop", "rank", "merge"], ["main", "loop", "rank", "merge", "compare"],
      ])
    #expect(paths.map(\.samples) == [20, 20] && paths.map(\.sharedCount) == [3, 3])
    // The flame graph has every call.
    #expect(account.flame.nodes.map(\.depth).max() == 12)
  }

  @Test func `a path begins with the app's outermost function that not all samples share`() throws {
    let account = try Self.account(
      Self.trace(
        Self.samples { index in
          let inner = index % 2 == 0 ? ["Decode", "jpeg", "memcpy"] : ["run", "Layout", "measure"]
          return ["start", "Main", "Loop", "dispatch"] + inner
        }))
    #expect(account.sharedCallers == ["start", "Main", "Loop", "dispatch"])
    let paths = account.rows[0].paths
    #expect(paths.map { $0.functions[$0.firstOwn ?? 0] } == ["Decode", "Layout"])
    // Main is only on the way to Loop.
    #expect(account.ownFunctions.map(\.name) == ["Loop", "Decode", "Layout"])
    #expect(account.ownFunctions.map(\.total.nanoseconds) == [1000, 500, 500])
    #expect(account.ownFunctions.map(\.totalSamples) == [20, 10, 10])
  }

  @Test
  func `the app's innermost function that all samples share begins paths without another`() throws {
    let account = try Self.account(
      Self.trace(Self.samples { ["Main", "Flush", "printf"] + ($0 < 10 ? ["a"] : ["b"]) }))
    #expect(account.rows[0].paths.map(\.firstOwn) == [1, 1])
    #expect(account.rows[0].paths.map(\.sharedCount) == [3, 3])
    #expect(account.ownFunctions.map(\.name) == ["Flush"])
    let none = try Self.account(Self.trace(Self.samples { _ in ["a", "b"] }))
    #expect(none.ownFunctions.isEmpty && none.rows[0].paths.map(\.firstOwn) == [nil])
  }

  @Test func `a caller of nearly all samples does not hide the function that they are in`() throws {
    let account = try Self.account(
      Self.trace(
        Self.samples { $0 == 7 ? ["Main", "a"] : ["Main", "Feed", "Flush", "printf", "b"] }))
    #expect(account.sharedCallers == ["Main"])
    #expect(account.ownFunctions.map(\.name) == ["Flush"])
    let path = try #require(account.rows[0].paths.first)
    #expect(path.functions[path.firstOwn ?? 0] == "Flush")
  }

  @Test func `the frame loop is no cause, although some stacks are cut off below it`() throws {
    let loop = ["Start", "Main", "Loop"]
    let account = try Self.account(
      Self.trace(
        Self.samples { index in
          switch index {
          case 0..<8: ["WaitForSocket", "poll"]
          case 8: loop + ["WaitForSocket", "poll"]
          case 9..<15: loop + ["Decode"]
          default: loop + ["Parse"]
          }
        }))
    // The loop contains 12 samples of 20, and all that are whole.
    #expect(account.unrecorded?.function == "WaitForSocket")
    #expect(account.unrecorded?.called == "poll" && account.unrecorded?.caller == nil)
    #expect(account.unrecorded?.time.nanoseconds == 450)
    // Without a loop around all whole stacks, a function that calls several others is the cause.
    let parts = try Self.account(
      Self.trace(
        Self.samples { $0 == 0 ? ["Other"] : ["Main", "Feed", $0 < 10 ? "Decode" : "Parse"] }))
    #expect(parts.unrecorded?.function == "Feed")
  }

  @Test func `where a program starts is no cause, and code of the system is named as that`() throws
  {
    let account = try Self.account(
      Self.trace(
        Self.samples { index in
          ["start", "App.$main()", "loop"]
            + (index < 6
              ? ["poll"] : ["updateViews", "layout"] + (index < 8 ? ["Body"] : ["solve"]))
        }))
    #expect(account.unrecorded?.isOwn == false)
    #expect(account.unrecorded?.function == "solve" || account.unrecorded?.function == "layout")
    let own = try Self.account(
      Self.trace(Self.samples { _ in ["start", "App.$main()", "loop", "Body", "solve"] }))
    #expect(own.unrecorded?.isOwn == true && own.unrecorded?.function == "Body")
  }

  @Test(arguments: [10, 12])
  func `a function of the app that holds most of the time is named, wherever the system calls it`(
    count: Int
  ) throws {
    let account = try Self.account(
      Self.trace(
        Self.samples { index in
          guard index < count else { return ["start", "loop", "commit", "arrange"] }
          return ["start", "loop", "commit", index < 6 ? "layout" : "display", "Body", "solve"]
        }))
    let isMost = count > 10
    #expect(account.unrecorded?.isOwn == isMost)
    #expect(account.unrecorded?.function == (isMost ? "Body" : "arrange"))
    guard isMost else { return }
    #expect(account.unrecorded?.called == "solve" && account.unrecorded?.caller == nil)
    #expect(account.unrecorded?.time.nanoseconds == 600)
  }

  @Test func `two parts of a sample's time without a span count as one sample`() throws {
    // The sample at 200 stands for 150 to 250.
    let account = try Self.account(
      Self.trace((0..<10).map { (Int64($0) * 100, ["f"]) }, span: (180, 220)))
    #expect(account.rows.map(\.samples) == [10] && account.sampled.nanoseconds == 950)
    #expect(account.rows.map(\.time.nanoseconds) == [910])
  }

  @Test func `a sample counts once, however many spans and windows its time is in`() throws {
    // The sample at 200 stands for 150 to 250, of which 180 to 220 is in a span.
    let trace = Self.trace(
      (0..<10).map { (Int64($0) * 100, [$0 == 2 ? "g" : "f"]) }, span: (180, 220))
    let whole = try Self.account(trace)
    #expect(whole.functions.map(\.ownSamples) == [9, 1] && whole.samples == 10)
    let timeline = try #require(TraceAnalyzer().analyze(trace).samples?.timeline)
    let parts = timeline.account(
      of: TimeRangeSet(
        union: [(160, 170), (230, 240), (290, 310)].map {
          TimeRange(start: Timestamp(clamping: $0.0), end: Timestamp(clamping: $0.1))
        }))
    #expect(parts.samples == 2 && parts.functions.map(\.ownSamples) == [1, 1])
    #expect(parts.rows.reduce(0) { $0 + $1.samples } == 2)
  }

  @Test func `few samples give an order, and a call path needs three of them`() throws {
    let few = try Self.account(Self.trace([(100, ["a"]), (200, ["a"]), (300, ["b"])]))
    #expect(few.isOnlyOrder && few.rows.first?.paths.map(\.functions) == [["a"], ["b"]])
    var samples = (0..<30).map { (Int64($0) * 30, ["main", "f"]) }
    samples[3].1 = ["main", "rare"]
    samples[9].1 = ["main", "rare"]
    let many = try Self.account(Self.trace(samples))
    #expect(!many.isOnlyOrder)
    #expect(many.rows[0].paths.map { $0.functions.last } == ["f"])
    #expect(many.functions.contains { $0.name == "rare" && $0.ownSamples == 2 })
    #expect(many.rows[0].paths[0].sharedCount == 1)
  }

  @Test func `stacks of thousands of functions are added up without recursion`() throws {
    let deep = (0..<10_000).map { "f\($0 % 7)" }
    let account = try Self.account(Self.trace(Self.samples { _ in deep }))
    #expect(account.functions.count == 7)
    #expect(account.functions.allSatisfy { $0.total == account.sampled })
    #expect(account.flame.nodes.count == FlameTree.maximumDepth + 1)
  }

  @Test func `runs are compared by function and span `() throws {
    func run(_ slow: Bool) -> Analysis {
      let slowCount = slow ? 15 : 5
      let samples = Self.samples { $0 < slowCount ? ["main", "slow"] : ["main", "fast"] }
      return TraceAnalyzer().analyze(Self.trace(samples, span: (0, slow ? 800 : 300)))
    }
    let comparison = Comparison(base: [run(false)], new: [run(true)])
    let stacks = try #require(comparison.stacks.first)
    #expect(stacks.functions.map(\.name) == ["fast", "slow"])
    #expect(stacks.functions.map(\.difference.nanoseconds) == [-500, 500])
    // The time without a span has as large a difference, and is no span.
    #expect(stacks.spans.map(\.name) == ["app/load"])
    #expect(stacks.spans.first?.difference.nanoseconds == 500)
    #expect(stacks.nodes.first?.depth == 0 && stacks.nodes.contains { $0.name == "slow" })
  }
}
