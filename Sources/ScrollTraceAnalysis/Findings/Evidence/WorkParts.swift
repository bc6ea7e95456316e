import ScrollTraceModel

/// The spans of which work in late frames consists, and the work around them.
struct WorkParts {
  /// The number of them in a late frame, on average.
  let count: Int
  /// The median of their lengths.
  let length: TimeSpan
  /// The work that is open around most of their time, frames and phases excepted, or `nil` if there is none.
  let around: WorkName?
  /// The script of a web page that most of their time is in, or `nil` if there is none.
  let script: WorkName?
  /// The name of at least half of them, without the numbers in it, or `nil` if they have several.
  let name: String?

  /// Measures `work` in windows; returns `nil` if no span of it lies in them.
  ///
  /// Of all work of a category, only the spans count that fill less than a quarter of their window, and of
  /// these only those inside the same work: that with most of their time.
  init?(of work: WorkName, in windows: Set<TimeRange>, _ context: FindingContext) {
    guard let main = context.trace.mainTrack, !windows.isEmpty else { return nil }
    let spans = context.trace.tracks[main.index].spans
    let (names, waits) = (context.workload.names, context.workload.waits)
    var groups: [WorkName?: Group] = [:]
    var scripts: [WorkName: Int64] = [:]
    for window in windows {
      let limit = work.name == nil ? window.length.nanoseconds / 4 : .max
      var open: [(end: Int64, name: WorkName)] = []
      for index in context.workload.timelines[main.index].spanIndexes(in: window).indexes {
        let (time, label) = (spans.times[index], spans.labels[index])
        while let last = open.last, last.end <= time.start { open.removeLast() }
        let name = names[label]
        let outer = open.suffix(SpanStack.maximumDepth).filter { $0.end >= time.end }
        let around = outer.last { !$0.name.isFrameOfOtherWork }?.name
        open.append((time.end, name))
        let middle = Timestamp(clamping: time.start + time.length / 2)
        // A part of a part is none of its own.
        guard work.includes(name), !name.isFrameOfOtherWork, !waits[label], around != name,
          time.length < limit, middle >= window.start, middle < window.end
        else { continue }
        groups[around, default: Group()].add(time.length, label)
        guard let script = outer.last(where: { $0.name.isScript })?.name else { continue }
        scripts[script] = scripts[script, default: 0].saturatingAdd(time.length)
      }
    }
    guard
      let most = groups.max(by: {
        ($0.value.time, $1.key?.name ?? "") < ($1.value.time, $0.key?.name ?? "")
      })
    else { return nil }
    var all = most.value
    if work.name == nil {
      around = most.key
      name = all.name(in: context)
    } else {
      for (key, group) in groups where key != most.key { all.add(group) }
      around = most.value.time >= all.time / 2 ? most.key : nil
      name = work.name
    }
    script =
      scripts.max { ($0.value, $1.key.name ?? "") < ($1.value, $0.key.name ?? "") }
      .flatMap { $0.value >= all.time / 2 ? $0.key : nil }
    count = max(1, (all.lengths.count + windows.count / 2) / windows.count)
    length = Percentiles(of: all.lengths)?.p50 ?? .zero
  }

  /// The parts inside one work.
  private struct Group {
    private(set) var time: Int64 = 0
    private(set) var lengths: [TimeSpan] = []
    private var counts: [LabelID: Int] = [:]

    mutating func add(_ length: Int64, _ label: LabelID) {
      time = time.saturatingAdd(length)
      lengths.append(TimeSpan(nanoseconds: length))
      counts[label, default: 0] += 1
    }

    mutating func add(_ other: Group) {
      time = time.saturatingAdd(other.time)
      lengths += other.lengths
    }

    /// The name of at least half of the parts, without numbers.
    func name(in context: FindingContext) -> String? {
      var sums: [String: Int] = [:]
      for (label, count) in counts {
        let name = context.workload.names[label].name ?? ""
        let category = context.trace.labels[label].category
        sums[NameTemplate(name, of: category)?.name ?? name, default: 0] += count
      }
      let most = sums.max { ($0.value, $1.key) < ($1.value, $0.key) }
      return most.flatMap { $0.value * 2 >= lengths.count && !$0.key.isEmpty ? $0.key : nil }
    }
  }
}

extension WorkName {
  /// Whether it is a script of a web page: a call with its function and file, as `renderRows (feed.js:10)`, or
  /// a measure of the page's own.
  fileprivate var isScript: Bool {
    guard let name else { return false }
    return category.hasPrefix("blink.user_timing")
      || category.includes("devtools.timeline") && name.last == ")" && name.includes(" (")
        && !name.hasPrefix("EventDispatch")
  }

  /// Whether it is style or layout of a web page, which its scripts can force.
  var isWebLayout: Bool {
    category.includes("devtools.timeline")
      && ["Layout", "UpdateLayoutTree", "RecalculateStyles"].contains(name)
  }
}
