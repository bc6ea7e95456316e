import ScrollTraceModel

/// A frame that took 50 ms or more, as the browser lists it. Times are since the page's time origin.
struct LongAnimationFrame {
  /// A script in it that ran for more than 5 ms.
  struct Script {
    let range: TimeRange
    /// The end of its compilation, or `nil` if unknown or if it was compiled before.
    let executionStart: Timestamp?
    /// Its function and what called it, such as `more (BUTTON#more.onclick)`, as far as they are known.
    let name: String
    /// The type of what called it, such as `event-listener`.
    let kind: String?
    let url: String?
    let function: String?
    let forcedLayout: TimeSpan?
    let pause: TimeSpan?
  }

  /// From the start of the frame's first task to the end of its rendering, or of its last task if
  /// nothing was rendered.
  let range: TimeRange
  /// `nil` if nothing was rendered.
  let renderStart: Timestamp?
  /// `nil` if there was no style and layout to update.
  let styleAndLayoutStart: Timestamp?
  /// The time of the earliest input event that the frame handled, or `nil` if there was none.
  let firstInput: Timestamp?
  /// The sum of what exceeds 50 ms of each task, or `nil` if unknown.
  let blocking: TimeSpan?
  /// The time the frame was presented, or `nil` if the browser does not list it.
  let presented: Timestamp?
  let scripts: [Script]
  /// The number of invalid values.
  let invalidCount: UInt64

  /// Creates the frame in `view`, or returns `nil` if it has no valid time and duration.
  init?(_ view: JSONView) {
    guard let range = Self.range(of: view) else { return nil }
    self.range = range
    /// A time within the frame; 0 means that there is none.
    func time(_ name: StaticString) -> Timestamp? {
      guard let time = Self.time(view.member(name)), time > .zero, time >= range.start,
        time <= range.end
      else { return nil }
      return time
    }
    renderStart = time("renderStart")
    styleAndLayoutStart = time("styleAndLayoutStart")
    // An event can wait for the frame.
    firstInput = Self.time(view.member("firstUIEventTimestamp")).flatMap {
      $0 > .zero && $0 <= range.end ? $0 : nil
    }
    blocking = Self.length(view.member("blockingDuration"))
    presented = Self.time(view.member("presentationTime")).flatMap {
      $0 > .zero && $0 >= range.start ? $0 : nil
    }
    var (scripts, invalid): ([Script], UInt64) = ([], 0)
    view.member("scripts")?.forEachElement { element in
      if let script = Script(element, in: range) { scripts.append(script) } else { invalid += 1 }
    }
    self.scripts = scripts.stablySorted { $0.range.start }
    invalidCount = invalid
  }

  fileprivate static func range(of view: JSONView) -> TimeRange? {
    guard let start = time(view.member("startTime")), let length = length(view.member("duration"))
    else { return nil }
    return TimeRange(start: start, end: start + length)
  }

  /// Returns a time in milliseconds since the page's time origin, from 0 to about a year.
  fileprivate static func time(_ view: JSONView?) -> Timestamp? {
    length(view).map { Timestamp.zero + $0 }
  }

  fileprivate static func length(_ view: JSONView?) -> TimeSpan? {
    guard let view, view.kind == .number,
      let nanoseconds = JSONNumber.scaled(view.bytes, timesTenTo: 6),
      0...31_536_000_000_000_000 ~= nanoseconds
    else { return nil }
    return TimeSpan(nanoseconds: nanoseconds)
  }
}

extension LongAnimationFrame.Script {
  /// Creates the script in `view`, or returns `nil` if its time is invalid or outside of its frame.
  fileprivate init?(_ view: JSONView, in frame: TimeRange) {
    guard let range = LongAnimationFrame.range(of: view), range.start >= frame.start,
      range.start <= frame.end
    else { return nil }
    func text(_ name: StaticString) -> String? {
      guard let text = view.member(name)?.text, !text.isEmpty else { return nil }
      return String(text.prefix(256))
    }
    // Browsers round times, so that a script can seem to end after its frame.
    self.range = TimeRange(start: range.start, end: min(range.end, frame.end))
    executionStart = LongAnimationFrame.time(view.member("executionStart")).flatMap {
      $0 >= range.start && $0 <= range.end && $0 <= frame.end ? $0 : nil
    }
    kind = text("invokerType")
    url = text("sourceURL")
    let caller = text("invoker")
    function = text("sourceFunctionName")
    name =
      function.map { name in caller.map { "\(name) (\($0))" } ?? name }
      ?? caller ?? url ?? "script"
    forcedLayout = LongAnimationFrame.length(view.member("forcedStyleAndLayoutDuration"))
    pause = LongAnimationFrame.length(view.member("pauseDuration"))
  }
}
