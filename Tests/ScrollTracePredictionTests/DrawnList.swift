import ScrollTraceAnalysis
import ScrollTraceModel
import Testing

@testable import ScrollTracePrediction

/// A list at 100 Hz, dragged from the start: work of its main thread in milliseconds.
struct DrawnList {
  private var builder = TraceBuilder(format: "drawn")
  private let main: TrackID
  private let loader: TrackID
  private let surface: SurfaceID
  /// The list that events of cells name, or `nil` for none.
  var name: String?

  init() {
    main = builder.track(1, of: builder.process(1))
    loader = builder.track(2, of: builder.process(1))
    builder.setMain(main)
    surface = builder.surface("display")
  }

  private static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(clamping: milliseconds * 1_000_000)
  }

  /// Adds the frame of refresh `number`, which is shown two refreshes after it or late.
  mutating func frame(_ number: Int64, _ commit: Range<Int64>, lateBy refreshes: Int64 = 0) {
    var frame = Frame(atRefresh: number, commit: commit)
    frame.presented = frame.presented.map { $0 + TimeSpan.milliseconds(10 * refreshes) }
    builder.updateFrame(frame, of: surface)
    span("w", category: "app", commit)
  }

  mutating func span(
    _ name: String, category: String, _ range: Range<Int64>, item: UInt64? = nil,
    isAhead: Bool = false
  ) {
    builder.addSpan(
      on: main, from: Self.time(range.lowerBound), to: Self.time(range.upperBound),
      label: builder.label(category: category, name: name),
      arguments: item.map { arguments($0, isAhead: isAhead) } ?? .none)
  }

  /// Adds the preparation of a cell, whose position is its item's number if `isPlaced`.
  mutating func prepare(
    _ item: UInt64, _ range: Range<Int64>, isAhead: Bool = false, isPlaced: Bool = false
  ) {
    builder.addSpan(
      on: main, from: Self.time(range.lowerBound), to: Self.time(range.upperBound),
      label: builder.label(category: "scrolltrace.cell", name: "prepare"),
      arguments: arguments(item, isAhead: isAhead, position: isPlaced ? Int64(item) : nil))
  }

  mutating func configure(_ item: UInt64, _ range: Range<Int64>) {
    span("configure", category: "scrolltrace.cell", range, item: item)
  }

  /// Adds a snapshot that reloads one cell.
  mutating func reload(_ range: Range<Int64>) {
    builder.addSpan(
      on: main, from: Self.time(range.lowerBound), to: Self.time(range.upperBound),
      label: builder.label(category: "scrolltrace.data", name: "applySnapshot"),
      arguments: builder.argumentList([
        Argument(key: builder.string("reloaded"), value: .integer(1))
      ]))
  }

  /// Adds a load on another thread.
  mutating func load(_ item: UInt64, _ range: Range<Int64>) {
    builder.addSpan(
      on: loader, from: Self.time(range.lowerBound), to: Self.time(range.upperBound),
      label: builder.label(category: "scrolltrace.data", name: "load"),
      arguments: arguments(item, isAhead: false))
  }

  mutating func mark(
    _ name: String, _ item: UInt64, at time: Int64, category: String = "scrolltrace.cell"
  ) {
    builder.addMark(
      on: main, at: Self.time(time), label: builder.label(category: category, name: name),
      arguments: arguments(item, isAhead: false))
  }

  /// Notes that cells size themselves.
  mutating func estimateSizes() { _ = builder.string("estimatedSize") }

  private mutating func arguments(
    _ item: UInt64, isAhead: Bool, position: Int64? = nil
  ) -> ArgumentListID {
    builder.argumentList(
      [
        Argument(key: builder.string("ahead"), value: .bool(isAhead)),
        Argument(key: builder.string("item"), value: .unsigned(item)),
      ] + (position.map { [Argument(key: builder.string("position"), value: .integer($0))] } ?? [])
        + (name.map {
          [Argument(key: builder.string("list"), value: .string(builder.string($0)))]
        } ?? []))
  }

  /// The predictor of a drag until `end`.
  consuming func predictor(until end: Int64 = 1_000) throws -> Predictor {
    builder.addInteraction(Interaction(kind: "drag", start: .zero, end: Self.time(end)))
    let analysis = TraceAnalyzer().analyze(builder.finish())
    return try Predictor(of: analysis, surface: try #require(analysis.surfaces.first))
  }
}

extension ReplayPass {
  /// The lengths of the first commits, in milliseconds.
  func lengths(_ count: Int) -> [Int64] {
    frames.prefix(count).map { frame in
      ((frame.commitEnd ?? .zero) - (frame.commitStart ?? .zero)).nanoseconds / 1_000_000
    }
  }
}

extension Frame {
  /// Creates the frame of refresh `number` at 100 Hz with its commit, in milliseconds, shown two refreshes
  /// after it or late.
  init(atRefresh number: Int64, commit: Range<Int64>) {
    func time(_ milliseconds: Int64) -> Timestamp { Timestamp(clamping: milliseconds * 1_000_000) }
    let begin = number * 10
    let late = max(0, commit.upperBound - begin - 1) / 10
    self.init(id: UInt64(number))
    start = time(begin)
    commitStart = time(commit.lowerBound)
    commitEnd = time(commit.upperBound)
    deadline = time(begin + 10)
    target = time(begin + 20)
    presented = time(begin + 20 + late * 10)
    refreshInterval = .milliseconds(10)
  }
}
