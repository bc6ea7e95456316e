import ScrollTraceCLI
import ScrollTraceKit

/// The lines that `watch` prints without a screen.
struct WatchLines {
  let sink: EscapingContext

  /// The time after a hitch until it is printed, so that its cause is known.
  private static let delay = TimeSpan.milliseconds(200)
  /// The time after a second until it is printed.
  private static let secondDelay = TimeSpan.milliseconds(400)

  /// The maximum number of seconds to print at once; more are summarized in one line.
  private static let maximumSeconds: Int64 = 60

  private static let maximumWorst = 5

  private var hitchesUntil = Timestamp.zero
  /// The number of hitches that were printed or counted.
  private var knownHitches = 0
  private var secondsUntil: Timestamp?
  private var lastSilence: Int64 = 0

  init(sink: EscapingContext) { self.sink = sink }

  private var messages: WatchMessages { WatchMessages(sink: sink) }

  /// Returns the lines about the recording so far.
  mutating func opening(of file: WatchedFile) -> String {
    let messages = messages
    let recording = file.recording
    var text =
      "\(sink.escape(file.path)): "
      + messages.text(of: file.host, process: file.reader.process, isStopped: file.isStopped) + "\n"
    guard let range = recording.analysis?.trace.range else { return text }
    let surface = recording.total.evaluatedPrimarySurface
    text +=
      "so far \(Quantity.length(range.length)): "
      + messages.text(of: recording.total, surface: surface, isRate: false) + "\n"
    // The latest hitches are printed as new ones.
    hitchesUntil =
      file.host == .finished ? Timestamp(clamping: Int64.max) : range.end - Self.delay
    let longest = recording.worst.filter { $0.end < hitchesUntil }.prefix(Self.maximumWorst)
    for hitch in longest { text += "  " + messages.text(of: hitch, start: range.start) + "\n" }
    knownHitches =
      Self.hitchCount(of: recording) - recording.hitches(from: hitchesUntil, to: nil).count
    if let more = Self.more(knownHitches - longest.count) { text += "  " + more }
    // Nothing recorded yet has no start.
    if range.length > .zero {
      let seconds = range.length.nanoseconds / 1_000_000_000
      secondsUntil = range.start + TimeSpan(nanoseconds: 1_000_000_000) * seconds
    }
    return text
  }

  mutating func news(of file: WatchedFile, now: Int64) -> String {
    guard let analysis = file.recording.analysis else { return "" }
    let range = analysis.trace.range
    let isOver = file.host == .finished
    var text = ""
    let limit = isOver ? nil : range.end - Self.delay
    text += newHitches(of: file, until: limit)
    let second = TimeSpan(nanoseconds: 1_000_000_000)
    let delay = isOver ? TimeSpan.zero : Self.secondDelay
    if secondsUntil == nil, range.length > .zero { secondsUntil = range.start }
    text += skip(until: range.end - delay)
    // A difference, because a sum near the end of time would saturate.
    while let begin = secondsUntil, range.end - begin >= second + delay {
      let totals = analysis.totals(from: begin, to: begin + second)
      secondsUntil = begin + second
      // The start may move by nanoseconds while the clock is refined.
      let elapsed = (begin + second - range.start).nanoseconds
      let number = elapsed.saturatingAdd(second.nanoseconds / 2) / second.nanoseconds
      text +=
        "\(number) s: "
        + messages.text(
          of: totals, surface: file.recording.total.evaluatedPrimarySurface, isRate: true)
        + ", " + messages.motion(in: analysis, now: range.end) + "\n"
    }
    return text + silence(of: file, analysis, now: now)
  }

  /// Returns the hitches that have no line yet and ended before `limit`.
  private mutating func newHitches(of file: WatchedFile, until limit: Timestamp?) -> String {
    let start = file.recording.analysis?.trace.range.start ?? .zero
    let hitches = file.recording.hitches(from: hitchesUntil, to: limit)
    hitchesUntil = max(hitchesUntil, limit ?? Timestamp(clamping: Int64.max))
    knownHitches += hitches.count
    return hitches.map { messages.text(of: $0, start: start) + "\n" }.joined()
  }

  /// Returns the hitches that have no line yet, and the number of those that were found too late for
  /// one.
  mutating func rest(of file: WatchedFile) -> String {
    let text = newHitches(of: file, until: nil)
    let count = Self.hitchCount(of: file.recording)
    defer { knownHitches = max(knownHitches, count) }
    return text + (Self.more(count - knownHitches) ?? "")
  }

  private static func hitchCount(of recording: WatchedRecording) -> Int {
    recording.total.surfaces.values.reduce(0) { $0 + $1.hitches }
  }

  /// Returns the line below a list without `hidden` further hitches, or `nil` if it is complete.
  private static func more(_ hidden: Int) -> String? {
    hidden > 0 ? "and \(Quantity.count(hidden, "more hitch", "more hitches"))\n" : nil
  }

  /// Skips the seconds before `end` if there are too many, such as after a timestamp far in the
  /// future.
  private mutating func skip(until end: Timestamp) -> String {
    guard let begin = secondsUntil else { return "" }
    let due = (end - begin).nanoseconds / 1_000_000_000
    guard due > Self.maximumSeconds else { return "" }
    let count = due - 1
    secondsUntil = begin + TimeSpan(nanoseconds: 1_000_000_000) * count
    return "\(count) s skipped\n"
  }

  /// Returns a line for each second without new data, with the open spans.
  private mutating func silence(
    of file: WatchedFile, _ analysis: LiveAnalysis, now: Int64
  ) -> String {
    let seconds = file.silence(now: now) / 1_000
    defer { lastSilence = seconds }
    guard file.host == .recording, seconds > lastSilence else { return "" }
    let time = file.now()
    let open = messages.openSpans(in: analysis, now: time)
    let stall = file.stall(at: time).map { stall in
      ", stalled for \(WatchMessages.text(of: stall.length))"
        + messages.function(of: stall, in: analysis)
    }
    return "nothing recorded for \(seconds) s" + (stall ?? "")
      + (file.isStopped ? ", process stopped" : "")
      + (open.isEmpty ? "" : "; " + open.joined(separator: "; ")) + "\n"
  }

  func closing(of file: WatchedFile) -> String {
    let messages = messages
    let recording = file.recording
    guard let analysis = recording.analysis else { return "" }
    let trace = analysis.trace
    var text =
      messages.text(of: file.host, process: file.reader.process)
      + ": \(Quantity.length(trace.range.length)), "
      + messages.text(
        of: recording.total, surface: recording.total.evaluatedPrimarySurface, isRate: false) + "\n"
    if file.host == .gone || file.host == .unknown {
      for line in messages.openSpans(in: analysis, now: trace.range.end) {
        text += "open at the end: \(line)\n"
      }
    }
    if file.isBehind {
      let size = Quantity.bytes(UInt64(file.reader.waitingByteCount))
      text += "not read: at least \(size)\n"
    }
    let reportMessages = Messages(start: trace.range.start)
    for loss in trace.losses { text += "lost: \(sink.escape(reportMessages.text(of: loss)))\n" }
    let path = ShellWord.quoted(file.path, for: sink)
    return text + "Next: \(ScrollTraceCommand.name) analyze \(path)\n"
  }
}
