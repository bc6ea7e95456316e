import ScrollTraceModel

/// The spans of which work in late frames consists, and the work around them.
struct WorkParts {
  /// Half of what a view shows: fewer are shortened one by one.
  static let minimumMany = 4

  /// The parts of one name.
  struct Inner {
    let work: WorkName
    /// Their time in a frame of which they take a part that counts, on average.
    let time: TimeSpan
    /// The number of those frames.
    let frames: Int
    /// The time in all frames.
    fileprivate var sum: Int64 { time.nanoseconds.saturatingMultiply(Int64(frames)) }
  }

  /// The number of them in a late frame, on average.
  let count: Int
  /// The median of their lengths.
  let length: TimeSpan
  /// The work that is open around half of their time, frames and phases excepted, or `nil` if there is none.
  let around: WorkName?
  /// The script of a web page that most of their time is in, or `nil` if there is none.
  let script: WorkName?
  /// The event whose listener most of their time is in, if scrolling waits for listeners of it that are not
  /// passive, or `nil` if there is none.
  let scrollEvent: String?
  /// The reload of a whole list that most of their time is in, or `nil` if there is none.
  let reload: WorkName?
  /// The reload or update of a list before most of their time in the same frames, or `nil` if there is none.
  let update: WorkName?
  /// The cell, or the phase of the toolkit's frames, that most of their time is in, or `nil` if there is none.
  let place: WorkName?
  /// The name of at least half of them, without the numbers in it, or `nil` if they have several.
  let name: String?
  /// The parts of each name in a category or directly inside work as a whole, most time first, without those
  /// that take less than a twentieth of every frame, or a tenth of it as parts of a whole.
  let inner: [Inner]
  private let frames: Int
  /// The time of all parts.
  private let time: Int64
  /// The part of the time of the work in which garbage is collected, if it is a tenth or more.
  private let collection: Double?
  /// The part of the time of work as a whole that none of its parts takes; zero for other causes.
  private let own: Double
  /// Whether there are two or more in a frame, and nine of ten take at least half as long as the long ones.
  private let areAlike: Bool

  /// Measures the work of `cause` in windows; returns `nil` if no span of it lies in them.
  ///
  /// Of all work of a category, only the spans count that fill less than a quarter of their window, and none
  /// inside another of these. The parts of work as a whole are the spans directly inside it, waits included.
  init?(of cause: HitchCause, _ context: FindingContext) {
    let windows = Set(cause.hitches.map(\.attribution.window))
    guard let work = cause.ownWork, !windows.isEmpty else { return nil }
    let (names, waits) = (context.workload.names, context.workload.waits)
    let isOfNames = work.name == nil || cause.isWhole
    var groups: [WorkName?: Group] = [:]
    var holders: [Holder: [WorkName: TimeSpan]] = [:]
    var known: [WorkName: Set<Holder>] = [:]
    var inner: [WorkName: (time: TimeSpan, frames: Int)] = [:]
    var (collected, collections): (TimeSpan, [WorkName: Bool]) = (.zero, [:])
    func isCollection(_ name: WorkName) -> Bool {
      if let known = collections[name] { return known }
      let isOne = WorkTopic(name) == .collection
      collections[name] = isOne
      return isOne
    }
    for window in windows {
      var own: [WorkName: TimeSpan] = [:]
      var change: WorkName?
      let limit = work.name == nil ? window.length.nanoseconds / 4 : .max
      var open: [(end: Timestamp, name: WorkName, isPart: Bool)] = []
      for span in context.mainSpans(in: window) {
        let (time, label, length) = (span.range, span.label, span.range.length)
        while let last = open.last, last.end <= time.start { open.removeLast() }
        let name = names[label]
        let outer = open.suffix(SpanStack.maximumDepth).filter { $0.end >= time.end }
        let around = outer.last { !$0.name.isFrameOfOtherWork }?.name
        let isInside = window.contains(time.middle)
        let fits = cause.isWhole ? around == work : work.includes(name) && !waits[label]
        // A part of a part is none of its own.
        let isNested = around == name || work.name == nil && outer.contains(where: \.isPart)
        let isPart =
          fits && !isNested && !name.isFrameOfOtherWork && length.nanoseconds < limit && isInside
        open.append((time.end, name, isPart))
        let collects = isCollection(name)
        if collects, isInside,
          outer.contains(where: { $0.name == work }),
          !outer.contains(where: { isCollection($0.name) })
        {
          collected += length
        }
        if change == nil, name.isReload || name.isListUpdate { change = name }
        guard isPart else { continue }
        if isOfNames, !(collects && cause.isWhole) {
          own[name, default: .zero] += length
        }
        groups[around, default: Group()].add(length, label)
        if let change { holders[.update, default: [:]][change, default: .zero] += length }
        var found: Set<Holder> = []
        for (_, name, _) in outer.reversed() {
          let kinds = known[name] ?? Holder.kinds(of: name, context.toolkit)
          known[name] = kinds
          for kind in kinds where found.insert(kind).inserted {
            holders[kind, default: [:]][name, default: .zero] += length
          }
        }
      }
      let minimum = window.length.nanoseconds / (cause.isWhole ? 10 : 20)
      for (name, time) in own where time.nanoseconds >= minimum {
        let known = inner[name] ?? (.zero, 0)
        inner[name] = (known.time + time, known.frames + 1)
      }
    }
    guard
      let most = groups.max(by: {
        ($0.value.time, $1.key?.name ?? "") < ($1.value.time, $0.key?.name ?? "")
      })
    else { return nil }
    var all = Group()
    for group in groups.values { all.add(group) }
    around =
      cause.isWhole || most.value.time.nanoseconds < all.time.nanoseconds / 2 ? nil : most.key
    name = isOfNames ? all.name(in: context) : work.name
    func holder(_ kind: Holder) -> WorkName? {
      holders[kind]?.max { ($0.value, $1.key.name ?? "") < ($1.value, $0.key.name ?? "") }
        .flatMap { $0.value.nanoseconds >= all.time.nanoseconds / 2 ? $0.key : nil }
    }
    (script, place) = (holder(.script), holder(.place))
    scrollEvent = (holder(.listener) ?? work).scrollEvent
    (reload, update) = (holder(.reload), holder(.update))
    count = max(1, cause.perWindow(all.lengths.count))
    let lengths = Percentiles(of: all.lengths)
    length = lengths?.p50 ?? .zero
    let half = (lengths?.p90 ?? .zero).nanoseconds / 2
    let short = all.lengths.count { $0.nanoseconds < half }
    areAlike = all.lengths.count >= windows.count * 2 && short <= all.lengths.count / 10
    frames = windows.count
    time = all.time.nanoseconds
    let share = collected.share(of: cause.isWhole ? cause.time : all.time)
    collection = share >= FindingThresholds.lateFrameShare ? share : nil
    own = cause.isWhole ? (cause.time - all.time).share(of: cause.time) : 0
    self.inner = inner.map { name, sum in
      Inner(
        work: name, time: TimeSpan(nanoseconds: sum.time.nanoseconds / Int64(sum.frames)),
        frames: sum.frames)
    }.sorted {
      ($1.sum, $0.work.category, $0.work.name ?? "") < (
        $0.sum, $1.work.category, $1.work.name ?? ""
      )
    }
  }

  /// The number of parts with their usual name and length: `14 small parts ('attr …'), 1.00 ms each`.
  var small: Phrase {
    "\(count, "small part")\(name.phrase { " ('\(name: $0)')" }), \(lengths)"
  }

  /// How long one takes, or all in a frame where one is too short to tell: `1.00 ms each`, `18.0 ms in all`.
  var lengths: Phrase {
    length >= Self.shortest
      ? "\(length) each" : "\(TimeSpan(nanoseconds: time / Int64(max(1, frames)))) in all"
  }

  /// Whether most of the time of work as a whole is in none of its parts.
  var isMostlyOwn: Bool { own >= 0.5 }

  /// Whether work as a whole consists of many parts, and the longest are no more than half of it.
  var areSmall: Bool {
    let longest = inner.prefix(Self.named).reduce(Int64(0)) { $0.saturatingAdd($1.sum) }
    return !isMostlyOwn && count >= Self.minimumMany && longest < time / 2
  }

  /// Whether none of them takes most of their time.
  private var areEven: Bool {
    let usual = length.nanoseconds.saturatingMultiply(Int64(count)).saturatingMultiply(
      Int64(frames))
    return usual >= time / 2
  }

  /// Whether they are many, or two or more alike: nobody finds one that takes the time of all.
  var areSeveral: Bool { areEven && (count >= Self.minimumMany || areAlike) }

  /// What is inside work as a whole as the end of a title.
  var titleOfInner: Phrase {
    if isMostlyOwn { return ", \(share: own) of it in its own code" }
    return areSmall ? ": \(small)" : inner.isEmpty ? "" : ": \(names)"
  }

  /// How much of the work collects garbage, as the end of a title.
  var titleOfCollection: Phrase {
    collection.phrase { "; \(share: $0) of it is garbage collection" }
  }

  /// What to do about garbage that the work makes, as a sentence before others.
  var fixOfCollection: Phrase { collection == nil ? "" : WorkTopic.allocateLess + ". " }

  /// What to do about a listener that scrolling waits for, as a sentence before others.
  var fixOfListener: Phrase {
    scrollEvent.phrase {
      "Make the listener passive unless it calls preventDefault, so that scrolling does not wait for it:"
        + " addEventListener('\(words: $0)', f, {passive: true}). "
    }
  }

  /// The longest parts by their names: `'set avatar' 6.00 ms, 'set text' 5.50 ms and 2 more`. A part of some
  /// frames only has their number.
  var names: Phrase {
    let shown = inner.prefix(Self.named).map { part -> Phrase in
      let amount: Phrase =
        part.frames * 2 >= frames ? "\(part.time)" : "in \(part.frames, "frame")"
      return "\(part.work) \(amount)"
    }
    return "\(list: shown, more: inner.count - shown.count)"
  }

  /// The name with a third of the time of all parts, or `nil` if none has as much.
  var largest: WorkName? { inner.first.flatMap { $0.sum >= time / 3 ? $0.work : nil } }

  /// Whether they are so many that to call the function less is likely to help.
  var areTooMany: Bool { areEven && count >= Self.minimumMany * 2 }

  /// What to do about too many calls of one function, as a sentence.
  static func callLess(_ work: WorkName) -> Phrase {
    if work.handlesEvents {
      return "Gather what arrives, and handle it once in a frame: this is called for each event."
    }
    return WorkTopic.draws(work)
      ? WorkTopic.drawOnce
      : "Call it less often: keep its results, and call it only for what is visible or changed."
  }

  /// Of a length below that, nobody sees whether it matters.
  private static let shortest = TimeSpan(nanoseconds: 100_000)

  /// The number of parts that a title names.
  private static let named = 3

  /// What the work around others says of them.
  private enum Holder {
    case script
    case listener
    case reload
    case update
    case place

    static func kinds(of name: WorkName, _ toolkit: Toolkit?) -> Set<Holder> {
      var kinds: Set<Holder> = []
      if name.isScript { kinds.insert(.script) }
      if name.scrollEvent != nil { kinds.insert(.listener) }
      if name.isReload { kinds.insert(.reload) }
      if WorkTopic(name) == .cells || ToolkitTerms.advice(onPhase: name, of: toolkit) != nil {
        kinds.insert(.place)
      }
      return kinds
    }
  }

  /// The parts inside one work.
  private struct Group {
    private(set) var time = TimeSpan.zero
    private(set) var lengths: [TimeSpan] = []
    private var counts: [LabelID: Int] = [:]

    mutating func add(_ length: TimeSpan, _ label: LabelID) {
      time += length
      lengths.append(length)
      counts[label, default: 0] += 1
    }

    mutating func add(_ other: Group) {
      time += other.time
      lengths += other.lengths
      counts.merge(other.counts, uniquingKeysWith: +)
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
  var isScript: Bool {
    guard let name else { return false }
    return category.hasPrefix("blink.user_timing")
      || isOfScripts && name.last == ")" && name.includes(" (") && !name.hasPrefix("EventDispatch")
  }

  /// Whether its category is one in which a browser names scripts.
  private var isOfScripts: Bool { category.includes("devtools.timeline") || category == "v8" }

  /// The event that it hands to a page's listeners, if scrolling waits for those that are not passive, or `nil`.
  fileprivate var scrollEvent: String? {
    ["wheel", "mousewheel", "touchstart", "touchmove"].first { name == "EventDispatch (\($0))" }
  }

  /// Whether it is style or layout of a web page, which its scripts can force.
  var isWebLayout: Bool {
    category.includes("devtools.timeline")
      && ["Layout", "UpdateLayoutTree", "RecalculateStyles"].contains(name)
  }

  /// Whether it is a request of a web page that stops the page until the answer is there.
  var isSynchronousRequest: Bool { name == "URLLoader::loadSynchronously" }

  /// Whether it is called for each event or message that arrives, as `onmessage` and `handleMessage`.
  fileprivate var handlesEvents: Bool {
    let words = QualifiedName.words(of: QualifiedName(name ?? "").path.last ?? "")
    return words.contains { ["receive", "received"].contains($0) }
      || words.first.map { ["handle", "deliver", "notify"].contains($0) } ?? false
      || ["onmessage", "onevent", "onscroll", "setstate"].contains(words.joined())
  }

  /// What to do about a script of another site than the page's, in one sentence with what to do about one's own;
  /// empty if it is the page's.
  var fixOfOthersScript: Phrase {
    otherHost.phrase {
      "If the code of \(name: $0) is not yours, load it later, or ask its maker; if it is: "
    }
  }

  /// The host of a script of another site, `poll (widget.example.com/loader.js:1)`, or `nil`.
  var otherHost: String? {
    guard isOfScripts, let name, name.last == ")",
      let open = name.lastIndex(of: "("), let slash = name[open...].firstIndex(of: "/")
    else { return nil }
    return String(name[name.index(after: open)..<slash])
  }

  /// Whether it is a script of a browser's extension, `scan (extension content.js:1)`, and none of the page's.
  var isOfExtension: Bool {
    category.includes("devtools.timeline") && name?.includes(" (extension ") == true
  }
}
