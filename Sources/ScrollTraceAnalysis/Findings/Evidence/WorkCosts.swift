import ScrollTraceModel

/// The durations of main-thread work of one name, with what is inside, by item.
struct WorkCosts {
  /// The work for one item.
  struct Item {
    let name: String
    let longest: TimeSpan
    /// The total in late frames.
    let late: TimeSpan
  }

  let count: Int
  /// The median of all occurrences.
  let median: TimeSpan
  /// How long the occurrences of the first and the last quarter take, if they become longer throughout: twice as
  /// long at the end, and half longer than in the second quarter; else `nil`.
  let growth: Growth?
  /// The median of the occurrences in late frames, or `nil` if there are none.
  let lateMedian: TimeSpan?
  /// The number of occurrences in late frames.
  let lateCount: Int
  /// The total in late frames.
  let late: TimeSpan
  /// The items, the longest occurrence first: those of the work itself, or of the spans around it; empty if the
  /// source names none.
  let items: [Item]
  /// The time in late frames in which scripts of web pages forced style and layout.
  let forcedLayout: TimeSpan
  /// Whether most of a script's time is style and layout that it forced.
  var forcesLayout: Bool { forcedLayout.isPart(0.5, of: late) }
  /// The file and the position of a script of a web page, or `nil` if unknown.
  let script: String?

  /// Measures `work`; returns `nil` if it has no span on the main thread.
  init?(of work: WorkName, in context: FindingContext) {
    let trace = context.trace
    guard let main = trace.mainTrack else { return nil }
    let isCounted = trace.labels.allIDs.map { work.includes(context.workload.names[$0]) }
    let spans = trace.tracks[main.index].spans
    let key = trace.strings.firstID(of: "item")
    let scripts = ScriptArguments(of: trace)
    var (lengths, lateLengths): ([Int64], [Int64]) = ([], [])
    var sums = ItemSums()
    var (late, forcedLayout) = (TimeSpan.zero, TimeSpan.zero)
    var script: String?
    let names = context.workload.names
    var last: (label: LabelID, end: Timestamp)?
    for span in spans {
      let label = Int(span.label.rawValue)
      guard label < isCounted.count, isCounted[label] else { continue }
      // What has another span's name and runs inside it is a part of that.
      if let last, span.label != last.label, span.range.end <= last.end,
        names.representative(of: span.label) == names.representative(of: last.label)
      {
        continue
      }
      last = (span.label, span.range.end)
      let length = span.range.length
      let isLate = context.late.index(ofMost: span.range) != nil
      lengths.append(length.nanoseconds)
      if isLate {
        lateLengths.append(length.nanoseconds)
        late += length
        forcedLayout += min(length, scripts.forcedLayout(in: span.arguments))
        script = script ?? scripts.script(in: span.arguments)
      }
      guard let key, let item = trace.arguments.value(of: key, in: span.arguments) else { continue }
      sums.add(length, isLate: isLate, of: item)
    }
    if sums.byItem.isEmpty, let key, !WorkTopic(work).isSlowWithAnyItem {
      sums = ItemSums(around: isCounted, key, in: context, spans)
    }
    guard let median = Percentiles(of: lengths.map { TimeSpan(nanoseconds: $0) })?.p50 else {
      return nil
    }
    count = lengths.count
    self.median = median
    growth = Growth(of: lengths)
    lateMedian = Percentiles(of: lateLengths.map { TimeSpan(nanoseconds: $0) })?.p50
    lateCount = lateLengths.count
    self.late = late
    self.forcedLayout = forcedLayout
    self.script = script
    items = sums.byItem.map {
      Item(name: trace.displayText(of: $0) ?? "", longest: $1.longest, late: $1.late)
    }.sorted { ($1.longest, $0.name) < ($0.longest, $1.name) }
  }
}

/// The longest occurrence of work and its time in late frames, by item.
private struct ItemSums {
  private(set) var byItem: [ArgumentValue: (longest: TimeSpan, late: TimeSpan)] = [:]

  init() {}

  /// Sums up the spans of the labels in `isCounted` by the item of the innermost span around each.
  init(
    around isCounted: [Bool], _ key: StringID, in context: FindingContext, _ spans: SpanColumns
  ) {
    var open: [(end: Timestamp, item: ArgumentValue)] = []
    for span in spans {
      while let last = open.last, last.end <= span.range.start { open.removeLast() }
      if let item = context.trace.arguments.value(of: key, in: span.arguments) {
        open.append((span.range.end, item))
      }
      let label = Int(span.label.rawValue)
      guard label < isCounted.count, isCounted[label],
        let item = open.suffix(SpanStack.maximumDepth).last(where: { $0.end >= span.range.end })?
          .item
      else { continue }
      let isLate = context.late.index(ofMost: span.range) != nil
      add(span.range.length, isLate: isLate, of: item)
    }
  }

  mutating func add(_ length: TimeSpan, isLate: Bool, of item: ArgumentValue) {
    let known = byItem[item] ?? (.zero, .zero)
    byItem[item] = (max(known.longest, length), isLate ? known.late + length : known.late)
  }
}

extension WorkTopic? {
  /// Whether such work takes long at its first use, or by chance, whatever the item is.
  fileprivate var isSlowWithAnyItem: Bool {
    [.collection, .files, .shaders, .fonts].contains(self)
  }
}

/// How work becomes longer during a recording.
struct Growth {
  /// Three in each quarter.
  private static let minimumCalls = 12
  /// As many in each quarter as a steady streak of frames has (M-9).
  private static let manyCalls = 32
  /// The rank correlation (Kendall's) that 12 lengths without a trend have less than once in 10 000 times.
  private static let minimumCorrelation = 0.8

  /// The medians of the first and the last quarter, or their 90th percentiles if only the long calls grow.
  let (first, last): (TimeSpan, TimeSpan)

  /// Creates the growth of lengths in order of time, or `nil` if they do not grow.
  init?(of lengths: [Int64]) {
    guard lengths.count >= Self.minimumCalls,
      lengths.count >= Self.manyCalls || Self.correlation(of: lengths) >= Self.minimumCorrelation
    else { return nil }
    let size = lengths.count / 4
    let quarters = (0..<4).compactMap { part in
      Percentiles(of: lengths[(part * size)...].prefix(size).map { TimeSpan(nanoseconds: $0) })
    }
    guard quarters.count == 4 else { return nil }
    let found = [quarters.map(\.p50), quarters.map(\.p90)].first(where: Self.grow)
    guard let found else { return nil }
    (first, last) = (found[0], found[3])
  }

  /// The pairs of calls of which the later one is longer, less those of which it is shorter, as a share of all.
  private static func correlation(of lengths: [Int64]) -> Double {
    var (sum, count) = (0, 0)
    for (index, length) in lengths.enumerated() {
      for earlier in lengths.prefix(index) {
        sum += earlier < length ? 1 : earlier > length ? -1 : 0
        count += 1
      }
    }
    return Double(sum) / Double(max(1, count))
  }

  /// Whether the times of four quarters grow.
  private static func grow(_ times: [TimeSpan]) -> Bool {
    guard zip(times, times.dropFirst()).allSatisfy(<) else { return false }
    return times[3] >= times[0] * 2 && times[3].nanoseconds >= times[1].nanoseconds / 2 * 3
  }

  func title(of work: WorkName) -> Phrase {
    "\(work) takes longer and longer: \(first) at first, \(last) at the end"
  }

  static let fix: Phrase =
    "It grows with what came before: work on what changed since the last frame, and let go of what"
    + " is no longer needed."
}

/// What `scrolltrace.js` writes about scripts of web pages.
private struct ScriptArguments {
  private let trace: Trace
  private let forcedLayout: StringID?
  private let url: StringID?
  private let position: StringID?

  init(of trace: Trace) {
    self.trace = trace
    forcedLayout = trace.strings.firstID(of: "forcedLayoutMs")
    url = trace.strings.firstID(of: "url")
    position = trace.strings.firstID(of: "position")
  }

  private func value(of key: StringID?, in arguments: ArgumentListID) -> ArgumentValue? {
    key.flatMap { trace.arguments.value(of: $0, in: arguments) }
  }

  func forcedLayout(in arguments: ArgumentListID) -> TimeSpan {
    let milliseconds: Double? =
      switch value(of: forcedLayout, in: arguments) {
      case .double(let value): value
      case .integer(let value): Double(value)
      case .unsigned(let value): Double(value)
      default: nil
      }
    guard let milliseconds, milliseconds > 0,
      let time = Int64(exactly: (milliseconds * 1_000_000).rounded())
    else { return .zero }
    return TimeSpan(nanoseconds: time)
  }

  /// The file and the position, or `nil` if unknown.
  func script(in arguments: ArgumentListID) -> String? {
    guard case .string(let id)? = value(of: url, in: arguments) else { return nil }
    let path = trace.strings[id].prefix { $0 != "?" && $0 != "#" }
    guard let file = path.split(separator: "/").last else { return nil }
    return value(of: position, in: arguments).flatMap(trace.displayText).map { "\(file):\($0)" }
      ?? String(file)
  }
}
