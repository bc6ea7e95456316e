import ScrollTraceKit

/// The lines that tell of a recording as it goes on.
struct WatchLines {
  /// What names pass through.
  let sink: EscapingContext

  /// A hitch is told once it has been over for so long: its cause is known by then.
  private static let delay = TimeSpan.milliseconds(200)
  /// A second is told once it has been over for so long.
  private static let secondDelay = TimeSpan.milliseconds(400)

  /// When more seconds than these are due at once, they get one line.
  private static let mostSeconds: Int64 = 60

  /// How many hitches are told of what was there before.
  private static let mostWorst = 5

  private var hitchesUntil = Timestamp.zero
  private var secondsUntil: Timestamp?
  private var lastSilence: Int64 = 0

  /// Lines whose names pass through `sink`.
  init(sink: EscapingContext) { self.sink = sink }

  private var words: WatchMessages { WatchMessages(sink: sink) }

  /// What was there when the watching began.
  mutating func opening(of file: WatchedFile) -> String {
    let words = words
    let recording = file.recording
    var text =
      "\(sink.escape(file.path)): "
      + words.text(of: file.host, process: file.reader.process, isStopped: file.isStopped) + "\n"
    guard let range = recording.analysis?.trace.range else { return text }
    let surface = recording.total.evaluatedPrimarySurface
    text +=
      "so far \(Quantity.length(range.length)): "
      + words.text(of: recording.total, surface: surface, isRate: false) + "\n"
    // Those that have just been are told as news.
    hitchesUntil =
      file.host == .closed ? Timestamp(clamping: Int64.max) : range.end - Self.delay
    for hitch in recording.worst.filter({ $0.end < hitchesUntil }).prefix(Self.mostWorst) {
      text += "  " + words.text(of: hitch, start: range.start) + "\n"
    }
    let seconds = range.length.nanoseconds / 1_000_000_000
    secondsUntil = range.start + TimeSpan(nanoseconds: 1_000_000_000) * seconds
    return text
  }

  /// What has come since.
  mutating func news(of file: WatchedFile, now: Int64) -> String {
    guard let analysis = file.recording.analysis else { return "" }
    let range = analysis.trace.range
    let isOver = file.host == .closed
    var text = ""
    let limit = isOver ? nil : range.end - Self.delay
    for hitch in file.recording.hitches(from: hitchesUntil, to: limit) {
      text += words.text(of: hitch, start: range.start) + "\n"
    }
    hitchesUntil = max(hitchesUntil, limit ?? Timestamp(clamping: Int64.max))
    let second = TimeSpan(nanoseconds: 1_000_000_000)
    let delay = isOver ? TimeSpan.zero : Self.secondDelay
    text += passOver(until: range.end - delay)
    // The difference: the sum of what lies at the end of time would never get past it.
    while let begin = secondsUntil, range.end - begin >= second + delay {
      let tally = analysis.tally(from: begin, to: begin + second)
      secondsUntil = begin + second
      let number = (begin + second - range.start).nanoseconds / second.nanoseconds
      text +=
        "\(number) s: "
        + words.text(of: tally, surface: file.recording.total.evaluatedPrimarySurface, isRate: true)
        + ", " + words.motion(in: analysis, now: range.end) + "\n"
    }
    return text + silence(of: file, analysis, now: now)
  }

  /// Jumps over the seconds before `end` where there are too many for a line each, as after an instant
  /// that lies far off.
  private mutating func passOver(until end: Timestamp) -> String {
    guard let begin = secondsUntil else { return "" }
    let due = (end - begin).nanoseconds / 1_000_000_000
    guard due > Self.mostSeconds else { return "" }
    let count = due - 1
    secondsUntil = begin + TimeSpan(nanoseconds: 1_000_000_000) * count
    return "\(count) s are passed over\n"
  }

  /// Says once a second that nothing is recorded, and what is open meanwhile.
  private mutating func silence(
    of file: WatchedFile, _ analysis: LiveAnalysis, now: Int64
  ) -> String {
    let seconds = file.silence(now: now) / 1_000
    defer { lastSilence = seconds }
    guard file.host == .recording, seconds > lastSilence else { return "" }
    let time = file.now()
    let open = words.openSpans(in: analysis, now: time)
    let stall = file.stall(at: time).map { ", stalled for \(WatchMessages.text(of: $0.length))" }
    return "nothing recorded for \(seconds) s" + (stall ?? "")
      + (file.isStopped ? ", its process is stopped" : "")
      + (open.isEmpty ? "" : "; " + open.joined(separator: "; ")) + "\n"
  }

  /// What it was in the end.
  func closing(of file: WatchedFile) -> String {
    let words = words
    let recording = file.recording
    guard let analysis = recording.analysis else { return "" }
    let trace = analysis.trace
    var text =
      words.text(of: file.host, process: file.reader.process)
      + ": \(Quantity.length(trace.range.length)), "
      + words.text(
        of: recording.total, surface: recording.total.evaluatedPrimarySurface, isRate: false) + "\n"
    if file.host == .gone || file.host == .unknown {
      for line in words.openSpans(in: analysis, now: trace.range.end) {
        text += "it died in \(line)\n"
      }
    }
    let wording = Messages(start: trace.range.start)
    for loss in trace.losses { text += "lost: \(sink.escape(wording.text(of: loss)))\n" }
    let path = ShellWord.quoted(file.path, for: sink)
    return text + "Next: \(ScrollTraceCommand.name) analyze \(path)\n"
  }
}
