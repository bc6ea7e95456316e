import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// Lists as a hostile trace tells of them.
@Suite struct ListPassTests {
  /// Spans of cells and a snapshot, of one list and of none, with the greatest numbers there are.
  private static func trace(lists: Int) -> Trace {
    var builder = TraceBuilder(format: "fxt")
    let process = builder.process(1)
    builder.setHost(process)
    let end = Timestamp(clamping: Int64.max)
    func arguments(_ list: String?, _ more: [(String, ArgumentValue)]) -> ArgumentListID {
      var all = more
      if let list { all.append(("list", .string(builder.string(list)))) }
      return builder.argumentList(all.map { Argument(key: builder.string($0.0), value: $0.1) })
    }
    func add(_ category: String, _ name: String, _ arguments: ArgumentListID, on number: UInt64) {
      builder.addSpan(
        on: builder.track(number, of: process), from: .zero, to: end,
        label: builder.label(category: "scrolltrace.\(category)", name: name),
        arguments: arguments)
    }
    for round in UInt64(0)..<3 {
      for (place, list) in [nil, "feed"].enumerated() {
        let number = round * 10 + UInt64(place)
        add("cell", "configure", arguments(list, []), on: number)
        let sizes: [(String, ArgumentValue)] = [
          ("estimatedSize", .double(-.greatestFiniteMagnitude)),
          ("size", .double(.greatestFiniteMagnitude)),
        ]
        add("cell", "size", arguments(list, sizes), on: number + 100)
        let counts: [(String, ArgumentValue)] = [
          ("inserted", .unsigned(.max)), ("deleted", .integer(.min)),
        ]
        add("data", "applySnapshot", arguments(list, counts), on: number + 200)
        add("cell", "prepare", arguments(list, [("kind", .string(.empty))]), on: number + 300)
      }
    }
    for number in 0..<lists {
      builder.addMark(
        on: builder.track(1, of: process), at: .zero,
        label: builder.label(category: "scrolltrace.cell", name: "willDisplay"),
        arguments: arguments("list \(number)", []))
    }
    return builder.finish()
  }

  /// A cell of item 1 in each list: prepared until 10, displayed from `displayed` on, with a placeholder that
  /// names no list for 5.
  private static func lists(_ lists: [(name: String, start: Int64, displayed: Int64)])
    -> [ListAnalysis]
  {
    var builder = TraceBuilder(format: "test")
    let main = builder.mainThread()
    for list in lists {
      func arguments(_ name: String?) -> ArgumentListID {
        let item = Argument(key: builder.string("item"), value: .unsigned(1))
        let named = name.map {
          Argument(key: builder.string("list"), value: .string(builder.string($0)))
        }
        return builder.argumentList([item] + (named.map { [$0] } ?? []))
      }
      func mark(_ category: String, _ name: String, _ list: String?, at time: Int64) {
        builder.addMark(
          on: main, at: Timestamp(clamping: time),
          label: builder.label(category: "scrolltrace.\(category)", name: name),
          arguments: arguments(list))
      }
      builder.addSpan(
        on: main, from: Timestamp(clamping: list.start), to: Timestamp(clamping: list.start + 10),
        label: builder.label(category: "scrolltrace.cell", name: "prepare"),
        arguments: arguments(list.name))
      mark("cell", "willDisplay", list.name, at: list.displayed)
      mark("image", "placeholder", nil, at: list.displayed)
      mark("image", "final", nil, at: list.displayed + 5)
    }
    return TraceAnalyzer().analyze(builder.finish()).lists.filter { !$0.name.isEmpty }
  }

  @Test func `M-14: two lists can have items of one number`() throws {
    let both = Self.lists([("feed", 0, 40), ("stories", 20, 60)])
    try #require(both.map(\.name) == ["feed", "stories"])
    #expect(both.map(\.cells.leadTime?.max.nanoseconds) == [30, 30])
    #expect(both.allSatisfy { $0.cells.neverDisplayed == 0 && $0.cells.redisplayed == 0 })
    #expect(both.map(\.images.placeholder?.max.nanoseconds) == [5, 5])
    let alone = Self.lists([("feed", 0, 40)])
    #expect(alone.first?.cells.leadTime == both[0].cells.leadTime)
  }

  @Test func `sums of the largest numbers saturate`() throws {
    let list = try #require(TraceAnalyzer().analyze(Self.trace(lists: 0)).lists.first)
    #expect(list.name == "feed")
    #expect(list.cells.steps.map(\.count) == [6, 6])
    #expect(list.cells.steps.allSatisfy { $0.total.nanoseconds == .max })
    #expect(list.cells.kinds.map(\.total.nanoseconds) == [.max])
    let snapshot = try #require(list.snapshots.first)
    #expect(snapshot.inserted == .max && snapshot.deleted == 0)
    // What names no list is of the only one that is named.
    #expect(list.snapshots.count == 1 && snapshot.count == 6)
    let sizes = try #require(list.sizes)
    #expect(sizes.estimated == 6 && sizes.meanError.isFinite)
  }

  @Test func `lists beyond the maximum are merged into one`() throws {
    let lists = TraceAnalyzer().analyze(Self.trace(lists: 3_000)).lists
    #expect(lists.count == 257)
    let rest = try #require(lists.first { $0.name == "(too many lists)" })
    #expect(lists.reduce(0) { $0 + $1.cells.displayed } == 3_000)
    #expect(rest.cells.displayed == 3_000 - 254)
  }

  @Test
  func `M-15: an image is decoded in a commit even if another surface commits inside it`() throws {
    var builder = TraceBuilder(format: "fxt")
    let main = builder.mainThread(isHost: true)
    func time(_ milliseconds: Int64) -> Timestamp { .zero + .milliseconds(milliseconds) }
    for (name, begin, end) in [("outer", 0, 30), ("inner", 10, 12)] as [(String, Int64, Int64)] {
      builder.updateFrame(
        1, of: builder.surface(name), commitStart: time(begin), commitEnd: time(end))
    }
    let decode = builder.label(category: "scrolltrace.image", name: "decode")
    builder.addSpan(on: main, from: time(15), to: time(20), label: decode)
    builder.addSpan(on: main, from: time(25), to: time(31), label: decode)
    let list = try #require(TraceAnalyzer().analyze(builder.finish()).lists.first)
    #expect(list.images.decodedOnMain.count == 2 && list.images.decodedInCommits.count == 1)
  }
}
