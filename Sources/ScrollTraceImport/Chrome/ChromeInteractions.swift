import ScrollTraceModel

/// Finds the stretches in which a page was scrolled.
///
/// They come from the marks of the page where the user names them, otherwise from the input
/// events that scroll.
struct ChromeInteractions {
  /// Input events less than this apart belong to one interaction.
  static let joining = TimeSpan.milliseconds(500)

  private static let beginWords = ["begin", "start"]
  private static let endWords = ["end"]
  private static let separators: [Character] = [":", "-", ".", "_"]

  private let pattern: GlobPattern?
  private var inputs: [Timestamp] = []
  private var marks: [(time: Timestamp, name: StringID)] = []

  init(marks pattern: String?) {
    self.pattern = pattern.map(GlobPattern.init)
  }

  /// Takes an instant, which may be a mark that begins or ends an interaction.
  mutating func noteMark(_ name: StringID, at time: Timestamp) {
    if pattern != nil { marks.append((time, name)) }
  }

  /// Takes the begin of asynchronous work, which may be an input event that scrolls.
  ///
  /// Its time is when the system made the event.
  mutating func noteInput(_ known: ChromeEventCollector.KnownEvent) {
    guard pattern == nil else { return }
    switch known.meaning {
    case .scrollInputLatency: inputs.append(known.time)
    case .eventLatency:
      let latency = known.arguments.member("event_latency")
      let chrome = latency ?? known.arguments.member("chrome_event_latency")
      switch chrome?.member("event_type")?.text {
      case "MOUSE_WHEEL", "TOUCH_MOVED", "GESTURE_SCROLL_UPDATE", "FIRST_GESTURE_SCROLL_UPDATE",
        "INERTIAL_GESTURE_SCROLL_UPDATE":
        inputs.append(known.time)
      default: break
      }
    default: break
    }
  }

  /// Adds the interactions to `builder`; `measures` are the page's measures by name.
  func finish(
    measures: [(name: StringID, range: TimeRange)], in builder: inout TraceBuilder
  ) {
    if pattern == nil {
      addScrolls(to: &builder)
    } else {
      addMarked(measures: measures, to: &builder)
    }
  }

  private func addScrolls(to builder: inout TraceBuilder) {
    var begin: Timestamp?
    var last = Timestamp.zero
    for time in inputs.sorted() {
      if let first = begin, time - last >= Self.joining {
        builder.addInteraction(Interaction(kind: "scroll", begin: first, end: last))
        begin = time
      }
      begin = begin ?? time
      last = time
    }
    if let begin {
      builder.addInteraction(Interaction(kind: "scroll", begin: begin, end: last))
    }
  }

  private func addMarked(
    measures: [(name: StringID, range: TimeRange)], to builder: inout TraceBuilder
  ) {
    var open: [String: Timestamp] = [:]
    var found = 0
    let order = marks.indices.sorted { (marks[$0].time, $0) < (marks[$1].time, $1) }
    for index in order {
      let time = marks[index].time
      guard let (name, isBegin) = edge(builder.name(of: marks[index].name)) else { continue }
      found += 1
      if isBegin {
        if open[name] == nil { open[name] = time }
      } else if let begin = open.removeValue(forKey: name) {
        builder.addInteraction(Interaction(kind: "marked", name: name, begin: begin, end: time))
      } else {
        builder.countLoss(.unmatchedEnd)
      }
    }
    for (name, begin) in open.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
      builder.addInteraction(Interaction(kind: "marked", name: name, begin: begin, end: nil))
    }
    var isEmpty = found == 0
    for (id, range) in measures {
      let name = builder.name(of: id)
      guard pattern?.matches(name) == true else { continue }
      isEmpty = false
      builder.addInteraction(
        Interaction(kind: "marked", name: name, begin: range.begin, end: range.end))
    }
    if isEmpty {
      builder.addNotice(.source("no mark or measure has a name that the given pattern fits"))
    }
  }

  /// The name that a mark begins or ends, where the pattern fits it.
  private func edge(_ mark: String) -> (name: String, isBegin: Bool)? {
    for (words, isBegin) in [(Self.beginWords, true), (Self.endWords, false)] {
      for word in words where mark.hasSuffix(word) {
        let name = mark.dropLast(word.count)
        guard let separator = name.last, Self.separators.contains(separator) else { continue }
        let base = String(name.dropLast())
        return pattern?.matches(base) == true ? (base, isBegin) : nil
      }
    }
    return nil
  }
}
