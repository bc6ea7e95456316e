import ScrollTraceKit

/// Watching on a screen.
extension Watch {
  /// How often it is looked and drawn, in milliseconds.
  private static let pause: Int64 = 200

  /// Shows the recording until somebody quits.
  func showScreen() throws -> Outcome {
    TerminalSignals.watchEnd()
    let opened = Result { try open { console.complain($0) } }
    TerminalSignals.ignoreEnd()
    guard var file = try opened.get() else { return Outcome() }
    let terminal = try LiveTerminal.open()
    let shown = Result { try show(&file, on: terminal) }
    terminal.close()
    try shown.get()
    if file.isOver(now: Self.milliseconds) { try file.end() }
    let closing = WatchLines(sink: console.sink).closing(of: file)
    for line in closing.split(separator: "\n") {
      let lines = WrappedText.lines(
        of: String(line), indent: 2, width: console.environment.width)
      try console.print(lines.joined(separator: "\n") + "\n")
    }
    return Outcome(hasLost: file.hasLost)
  }

  private func show(_ file: inout WatchedFile, on terminal: LiveTerminal) throws {
    let level = ColorLevel(console.environment)
    let words = WatchMessages(sink: .terminal)
    var view = WatchView()
    var (isPaused, isHelpShown) = (false, false)
    var next = Self.milliseconds
    while !isAsked {
      let now = Self.milliseconds
      if now >= next || file.isBehind {
        try file.step(now: now)
        if file.replace(now: now) { try file.step(now: now) }
        if !isPaused { view = WatchView(of: file, words: words, now: now) }
        next = now + Self.pause
      }
      (view.panel.isPaused, view.panel.isHelpShown) = (isPaused, isHelpShown)
      try terminal.draw(WatchScreen.lines(of: view, size: terminal.size, color: level))
      let wait = file.isBehind ? 0 : max(0, next - Self.milliseconds)
      switch terminal.nextKey(timeoutMilliseconds: Int(wait)) {
      case .escape where isHelpShown: isHelpShown = false
      case .character("?"): isHelpShown.toggle()
      case .interrupt, .escape, .character("q"): return
      case .space: isPaused.toggle()
      default: break
      }
    }
  }
}
