import ScrollTraceModel
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

  @Test func `sums of the largest numbers saturate`() throws {
    let list = try #require(TraceAnalyzer().analyze(Self.trace(lists: 0)).lists.first)
    #expect(list.name == "feed")
    #expect(list.cells.steps.map(\.count) == [6, 6])
    #expect(list.cells.steps.allSatisfy { $0.total.nanoseconds == .max })
    #expect(list.cells.kinds.map(\.total.nanoseconds) == [.max])
    let snapshot = try #require(list.snapshots.first)
    #expect(snapshot.inserted == .max && snapshot.deleted == 0)
    // What names no list is of the only one that is named.
    #expect(list.snapshots.count == 1 && snapshot.time.count == 6)
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

  @Test func `M-15: an image is decoded in a commit even if another surface commits inside it`()
    throws
  {
    var builder = TraceBuilder(format: "fxt")
    let process = builder.process(1)
    builder.setHost(process)
    let main = builder.track(1, of: process)
    builder.setMain(main)
    func time(_ milliseconds: Int64) -> Timestamp {
      Timestamp(clamping: milliseconds * 1_000_000)
    }
    for (name, begin, end) in [("outer", 0, 30), ("inner", 10, 12)] as [(String, Int64, Int64)] {
      var frame = Frame(id: 1)
      frame.commitStart = time(begin)
      frame.commitEnd = time(end)
      builder.updateFrame(frame, of: builder.surface(name))
    }
    let decode = builder.label(category: "scrolltrace.image", name: "decode")
    builder.addSpan(on: main, from: time(15), to: time(20), label: decode)
    builder.addSpan(on: main, from: time(25), to: time(31), label: decode)
    let list = try #require(TraceAnalyzer().analyze(builder.finish()).lists.first)
    #expect(list.images.onMain.count == 2 && list.images.inFrames.count == 1)
  }
}
