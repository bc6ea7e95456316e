/// Lines of a list at 60 Hz whose cause of late frames is known, and not the work that its spans show
/// first. Every tenth of 120 frames is late by a refresh.
struct MisleadingRecording {
  /// The cause.
  enum Cause: String, CaseIterable, Sendable {
    /// Workers of the app hold the cores while the main thread is ready.
    case contention
    /// Each late frame displays cells far from the ones before.
    case jumps
    /// Most of each late frame has no span.
    case unrecordedTime
    /// The main thread waits inside its work for a lock that a loader holds.
    case heldLock
    /// The main thread waits for a loader in a span that is marked as a wait.
    case markedWait
    /// The same work takes five times as long once the device is hot, and once before.
    case heat
    /// The commits are on time; the pictures are late.
    case drawing
  }

  private static let r = LineTrace.refresh
  private static let ms = LineTrace.millisecond

  private var lines = [
    #"{"scrolltrace":"ndjson/1","unit":"ns"}"#, #"{"thread":"loader","main":false}"#,
  ]
  private var slot = 0

  /// The file's text.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Creates the recording with this cause.
  init(_ cause: Cause) {
    if cause == .heat { lines.append(#"{"state":"thermal","value":"nominal","at":0}"#) }
    for number in 0..<120 {
      let isHot = cause == .heat && number >= 60
      if cause == .heat, number == 60 {
        lines.append(#"{"state":"thermal","value":"serious","at":\#(slot * Self.r)}"#)
      }
      let period = isHot ? 5 : 10
      let isLate = number % period == period / 2 && (cause != .heat || isHot || number == 25)
      add(cause, number, slot * Self.r, isLate: isLate)
      slot += isLate ? 2 : 1
    }
    lines.append(#"{"interaction":"drag","begin":0,"end":\#(slot * Self.r)}"#)
  }

  private mutating func add(_ cause: Cause, _ number: Int, _ begin: Int, isLate: Bool) {
    let isDrawnLate = cause == .drawing && isLate
    let commit = isLate && !isDrawnLate ? 27 * Self.ms : 6 * Self.ms
    let target = begin + 2 * Self.r
    lines.append(
      #"{"frame":\#(number),"begin":\#(begin),"commitStart":\#(begin),"commitEnd":\#(begin + commit),"#
        + #""deadline":\#(begin + Self.r),"target":\#(target),"#
        + #""presented":\#(target + (isLate ? Self.r : 0)),"interval":\#(Self.r)}"#)
    switch cause {
    case .contention:
      span("decode", "scrolltrace.image", begin, commit, number)
      state("main", "running", begin, isLate ? 5 * Self.ms : commit)
      guard isLate else { return }
      state("main", "ready", begin + 5 * Self.ms, 20 * Self.ms)
      state("main", "running", begin + 25 * Self.ms, 2 * Self.ms)
      for worker in ["worker 1", "worker 2"] {
        lines.append(#"{"thread":"\#(worker)","main":false}"#)
        state(worker, "running", begin + 5 * Self.ms, 20 * Self.ms)
      }
    case .jumps:
      span("draw", "host", begin, 2 * Self.ms, number)
      let count = isLate ? 6 : 1
      for cell in 0..<count {
        let position = number / 10 * 5000 + (isLate ? 2500 : 0) + number % 10 * 6 + cell
        let start = begin + 2 * Self.ms + cell * 4 * Self.ms
        guard isLate || number < 6 else { continue }
        span("prepare", "scrolltrace.cell", start, 4 * Self.ms, position)
        lines.append(
          #"{"mark":"willDisplay","category":"scrolltrace.cell","at":\#(start + 4 * Self.ms),"#
            + #""list":"feed","item":\#(position),"view":\#(cell)}"#)
      }
    case .unrecordedTime: span("decode", "scrolltrace.image", begin, 5 * Self.ms, number)
    case .heldLock:
      span("configure", "scrolltrace.cell", begin, commit, number)
      state("main", "running", begin, 4 * Self.ms)
      guard isLate else { return }
      state("main", "blocked", begin + 4 * Self.ms, 21 * Self.ms)
      lines.append(
        #"{"threadState":"ready","thread":"main","begin":\#(begin + 25 * Self.ms),"#
          + #""duration":1000,"waker":"loader"}"#)
      state("main", "running", begin + 25 * Self.ms + 1000, 2 * Self.ms - 1000)
      span("write database", "host", begin + Self.ms, 24 * Self.ms, number, on: "loader")
    case .markedWait:
      span("configure", "scrolltrace.cell", begin, commit, number)
      guard isLate else { return }
      span("feed lock", "scrolltrace.waiting", begin + 4 * Self.ms, 21 * Self.ms, number)
      span("write database", "host", begin + Self.ms, 24 * Self.ms, number, on: "loader")
    case .heat: span("draw feed", "host", begin, commit, number)
    case .drawing: span("decode", "scrolltrace.image", begin, commit, number)
    }
  }

  private mutating func span(
    _ name: String, _ category: String, _ begin: Int, _ length: Int, _ item: Int,
    on thread: String = "main"
  ) {
    lines.append(
      #"{"span":"\#(name)","category":"\#(category)","thread":"\#(thread)","begin":\#(begin),"#
        + #""duration":\#(length),"list":"feed","item":\#(item),"position":\#(item)}"#)
  }

  private mutating func state(_ thread: String, _ state: String, _ begin: Int, _ length: Int) {
    lines.append(
      #"{"threadState":"\#(state)","thread":"\#(thread)","begin":\#(begin),"duration":\#(length)}"#)
  }
}
