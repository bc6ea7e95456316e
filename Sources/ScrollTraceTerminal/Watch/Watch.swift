import CRecorderShims
import ScrollTraceCLI
import ScrollTraceKit
import ScrollTracePlatform

/// An execution of `scrolltrace watch`.
struct Watch {
  let path: String
  let console: Console
  /// Where names of sampled code are.
  let options: ImportOptions
  /// Whether to wait for a missing recording.
  let waits: Bool
  /// The time to stop, on the clock of `milliseconds`, or `nil` to never stop.
  let end: Int64?

  /// Milliseconds to wait for the contents of a new file.
  private static let patience: Int64 = 2_000

  /// The time of the monotonic clock, in milliseconds.
  static var milliseconds: Int64 {
    Int64(scrolltrace_clock(CLOCK_MONOTONIC) / 1_000_000)
  }

  /// Whether the time is over or a signal requests the end.
  var mustEnd: Bool {
    TerminalSignals.asksForEnd || end.map { Self.milliseconds >= $0 } ?? false
  }

  /// Waits for a number of milliseconds, or until a signal arrives.
  static func sleep(_ milliseconds: Int64) {
    _ = poll(nil, 0, Int32(clamping: milliseconds))
  }

  /// Opens the recording, waiting for it if requested. Returns `nil` if the wait was ended.
  ///
  /// - Parameter say: Receives a message about waiting, once.
  func open(_ say: (String) throws -> Void) throws -> WatchedFile? {
    let start = Self.milliseconds
    var hasSaid = false
    repeat {
      do throws(ImportError) {
        return try WatchedFile(path: path, options: options, now: Self.milliseconds)
      } catch {
        let isMissing = access(path, F_OK) != 0
        let mayCome =
          error == LiveTraceReader.notBegun && Self.milliseconds - start < Self.patience
        guard mayCome || (waits && (isMissing || error == LiveTraceReader.notBegun)) else {
          guard isMissing else { throw error }
          throw ImportError(error.reason, advice: "wait for it with --wait")
        }
      }
      if waits, !hasSaid { try say("waiting for \(console.sink.escape(path))\n") }
      hasSaid = true
      if !mustEnd { Self.sleep(50) }
    } while !mustEnd
    guard TerminalSignals.asksForEnd else {
      throw ImportError("did not start in time", advice: "check the path")
    }
    return nil
  }
}

extension Watch {
  /// Milliseconds between screens.
  private static let screenPause: Int64 = 200

  /// Displays the recording until the user quits, and returns whether it lost data.
  func showScreen() throws -> Bool {
    TerminalSignals.watch(TerminalSignals.ending)
    let opened = Result { try open { console.complain($0) } }
    TerminalSignals.ignore(TerminalSignals.ending)
    guard var file = try opened.get() else { return false }
    let terminal = try LiveTerminal.open()
    let shown = Result { try show(&file, on: terminal) }
    terminal.close()
    try shown.get()
    if file.isOver(now: Self.milliseconds) { try file.end() }
    try printWrapped(WatchLines(sink: console.sink).closing(of: file))
    return file.hasLost
  }

  private func show(_ file: inout WatchedFile, on terminal: LiveTerminal) throws {
    let palette = console.environment.palette
    let messages = WatchMessages(sink: .terminal)
    var view = WatchView()
    var (isPaused, isHelpShown) = (false, false)
    var next = Self.milliseconds
    repeat {
      let now = Self.milliseconds
      if now >= next || file.isBehind {
        try file.step(now: now)
        if file.replace(now: now) { try file.step(now: now) }
        if !isPaused { view = WatchView(of: file, messages: messages, now: now) }
        next = now + Self.screenPause
      }
      (view.panel.isPaused, view.panel.isHelpShown) = (isPaused, isHelpShown)
      try terminal.draw(WatchScreen.lines(of: view, size: terminal.size, color: palette))
      let wait = file.isBehind ? 0 : max(0, next - Self.milliseconds)
      switch terminal.nextKey(timeoutMilliseconds: Int(wait)) {
      case .escape where isHelpShown: isHelpShown = false
      case .character("?"): isHelpShown.toggle()
      case .interrupt, .escape, .character("q"): return
      case .space: isPaused.toggle()
      default: break
      }
    } while !mustEnd
  }
}

/// Watching without a screen: a line for each second and for each hitch.
extension Watch {
  /// Prints lines. Those longer than the terminal go on in indented lines; without a terminal, each is one line.
  private func printWrapped(_ text: String) throws {
    guard console.environment.isWidthKnown else { return try console.print(text) }
    let width = console.environment.width
    for line in text.split(separator: "\n") {
      let margin = line.prefix { $0 == " " }
      let lines = WrappedText.lines(
        of: String(line), start: String(margin), indent: margin.count + 2, width: width)
      try console.print(lines.joined(separator: "\n") + "\n")
    }
  }

  /// Milliseconds between updates.
  private static let linePause: Int64 = 250

  /// Prints lines until the recording ends, and returns whether it lost data.
  func printLines() throws -> Bool {
    TerminalSignals.watch(TerminalSignals.ending)
    defer { TerminalSignals.ignore(TerminalSignals.ending) }
    guard var file = try open({ try console.print($0) }) else { return false }
    var lines = WatchLines(sink: console.sink)
    try file.step(now: Self.milliseconds)
    while file.isBehind, !mustEnd { try file.step(now: Self.milliseconds) }
    try printWrapped(lines.opening(of: file))
    while !mustEnd, !file.isOver(now: Self.milliseconds) {
      Self.sleep(min(Self.linePause, end.map { max(1, $0 - Self.milliseconds) } ?? Self.linePause))
      try file.step(now: Self.milliseconds)
      try printWrapped(lines.news(of: file, now: Self.milliseconds))
      if file.replace(now: Self.milliseconds) {
        lines = WatchLines(sink: console.sink)
        try file.step(now: Self.milliseconds)
        try printWrapped("replaced by another recording\n" + lines.opening(of: file))
      }
    }
    if file.isOver(now: Self.milliseconds) { try file.end() }
    try printWrapped(lines.rest(of: file) + lines.closing(of: file))
    return file.hasLost
  }
}
